import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { type ConsoleWorld, startConsoleWorld } from '../support/consoleWorld.ts';
import { PAYLOADS } from '../support/hostileTexts.ts';
import { obstaclesOn } from '../support/pages.ts';

describeInBrowser('the page of a reservation for its guests', () => {
  let world: ConsoleWorld;
  let page: Page;
  let guest: Page;
  let code: string;
  let link: string;
  const main = () => page.innerText('main');
  const seen = () => guest.innerText('main');

  before(async () => {
    world = await startConsoleWorld();
    await world.service.portal('PATCH', '/portal/brand', { account: 'demo', name: 'Sea & Sons', color: '#0b57a8' });
    ({ reservation_code: code } = await world.book(world.sea, 0, 3, { number_of_guests: 2 }));
    await world.service.v3('PATCH', `/reservations/${code}/check_in_details`, { lock_code: '47-11' });
    await world.service.settled();
    page = await world.person();
    page.setDefaultTimeout(30_000);
    guest = await (await world.pages.person({ locale: 'de-DE', javaScriptEnabled: false })).newPage();
    guest.setDefaultTimeout(30_000);
  });
  after(() => world.remove());

  it('begins with what a property tells its guests', async () => {
    await page.goto(world.at(`properties?property=${world.sea}`));
    await page.fill('#guide-text', 'Welcome!\nWi-Fi: sea-guest');
    await page.fill('#guide-phone', '+49 30 12345');
    await page.fill('#guide-country', 'it');
    await page.click('form[action*="tell"] button');
    assert.match(await page.innerText('.said'), /saved/);
    assert.equal(await page.inputValue('#guide-country'), 'IT');
    assert.equal(await page.inputValue('#guide-text'), 'Welcome!\nWi-Fi: sea-guest');
  });

  it('is made on the page of the stay, with its link to copy', async () => {
    await page.goto(world.at(`stay?code=${code}`));
    await page.click('form[action*="guest-page"] button');
    link = new URL(new URL(await page.innerText('code.secret')).pathname, world.service.url).href;
    assert.match(link, /\/stay\/[\w-]{32}$/);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.click('button[data-copy]');
    await page.waitForFunction('document.querySelector("button[data-copy]").textContent === "Copied"');
    const copied: string = await page.evaluate('navigator.clipboard.readText()');
    assert.equal(new URL(copied).pathname, new URL(link).pathname);
    assert.match(await main(), /0 of 2 guests registered/);
  });

  it('is read and filled in without a script, in the language of the browser or the one that is chosen', async () => {
    await guest.goto(link);
    assert.match(await seen(), /Türcode\s+47-11[\s\S]*Wi-Fi: sea-guest[\s\S]*0 von 2 Gästen/);
    assert.match(await guest.innerText('header'), /Sea & Sons/);
    await guest.click('nav a[lang=en]');
    assert.match(await seen(), /Door code\s+47-11/);
    await guest.fill('input[name=given_name]', 'Ada');
    await guest.selectOption('select[name=nationality]', { label: 'United Kingdom' });
    await guest.click('text=Register this guest');
    assert.match(await seen(), /Nothing was registered[\s\S]*Please fill this in/);
    assert.equal(await guest.inputValue('select[name=nationality]'), 'GB');
    await guest.fill('input[name=family_name]', 'Lovelace');
    await guest.fill('input[name=birth_date]', '1985-12-10');
    await guest.fill('input[name=birth_place]', 'London');
    await guest.selectOption('select[name=sex]', 'female');
    await guest.selectOption('select[name=document_type]', 'passport');
    await guest.fill('input[name=document_number]', 'XK-998877');
    await guest.selectOption('select[name=document_country]', 'GB');
    await guest.click('text=Register this guest');
    assert.match(await seen(), /This guest is registered[\s\S]*1 of 2 guests registered[\s\S]*Guest 2/);
    assert.equal(await guest.locator('input[name=document_number]').count(), 0, 'the first guest’s document is enough');
  });

  it('shows what was registered to the host, with a note in the record, and as a file', async () => {
    await page.goto(world.at(`stay?code=${code}`));
    assert.match(await main(), /1 of 2 guests registered/);
    await page.click('text=Show what guests have registered');
    assert.match(await main(), /Lovelace[\s\S]*XK-998877/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Download as CSV')]);
    assert.match(download.suggestedFilename(), /^guests-.*\.csv$/);
    const { entries } = await world.service.portal('GET', '/portal/audit?limit=10');
    const actions = entries.map(({ action, entrance }: Record<string, string>) => `${action} ${entrance}`);
    assert.ok(actions.includes('read guest registrations console'), actions.join());
    assert.ok(actions.includes('download guest registrations console'), actions.join());
    for (const role of ['bookkeeper', 'read_only'] as const) {
      const person = await world.person(role);
      await person.goto(world.at(`stay?code=${code}&registrations=show`));
      assert.doesNotMatch(await person.innerText('main'), /XK-998877|\/stay\//, role);
      const answer = await person.goto(world.at(`stay/registrations?code=${code}`));
      assert.equal(answer?.status(), 403, role);
    }
  });

  it('runs nothing that anybody has written', async () => {
    const reader = await (await world.pages.person()).newPage();
    for (const text of PAYLOADS.filter((one) => one.trim() !== '' && one.length <= 80)) {
      const words = `'${text.replaceAll('\u0000', '').replaceAll("'", "''")}'`;
      await world.service.run(`update core.guest_guides set guide = ${words}, phone = ${words}`);
      for (const address of [link, world.at(`properties?property=${world.sea}`)]) {
        const where = address === link ? reader : page;
        await where.goto(address, { waitUntil: 'domcontentloaded' });
      }
    }
    await world.service.run(`update core.guest_guides set guide = 'Wi-Fi: sea-guest', phone = '+49 30 1'`);
    assert.deepEqual(world.pages.problems, []);
  });

  it('is in nobody’s way, at any width, light and dark; nor is what the console shows of it', async () => {
    const reader = await (await world.pages.person()).newPage();
    for (const [name, where, address] of [
      ['guest-page', reader, link],
      ['guest-page-de', reader, `${link}?lang=de`],
      ['guest-page-stay', page, world.at(`stay?code=${code}&registrations=show`)],
      ['guest-page-property', page, world.at(`properties?property=${world.sea}`)],
      ['guest-page-ended', reader, `${world.service.url}/stay/${'x'.repeat(32)}`],
    ] as const) {
      await where.goto(address);
      assert.deepEqual(await obstaclesOn(where, name), []);
    }
    await reader.goto(link);
    await reader.emulateMedia({ media: 'print' });
    assert.equal(await reader.isVisible('form'), false, 'forms are not printed');
    assert.equal(await reader.isVisible('.code'), true);
  });

  it('ends from the page of the stay, after a question', async () => {
    await page.goto(world.at(`stay?code=${code}`));
    await page.click('summary:has-text("Renew the link")');
    await page.click('form[action*="guest-page-renew"] button');
    assert.match(await page.innerText('.said'), /renewed/);
    assert.equal((await guest.goto(link))?.status(), 404);
    await page.click('summary:has-text("End the page")');
    await page.click('form[action*="guest-page-end"] button');
    assert.match(await page.innerText('.said'), /has ended/);
    assert.match(await main(), /There is no page yet/);
  });
});
