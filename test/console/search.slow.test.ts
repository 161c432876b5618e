import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { type ConsoleWorld, startConsoleWorld } from '../support/consoleWorld.ts';
import { PAYLOADS } from '../support/hostileTexts.ts';
import { obstaclesOn } from '../support/pages.ts';

describeInBrowser('Search in a browser', () => {
  let world: ConsoleWorld;
  let page: Page;
  let code: string;
  const main = () => page.innerText('main');

  before(async () => {
    world = await startConsoleWorld();
    ({ reservation_code: code } = await world.book(world.sea, 0, 3, { email: 'grace@navy.example' }));
    await world.book(world.hill, 1, 2, { guest_name: 'Grace Kelly' });
    await world.service.settled();
    page = await world.person();
  });
  after(() => world.remove());

  it('from Today with the box in the bar: a guest by the beginning of the name, with a link to the stay', async () => {
    await page.goto(world.at('today'));
    await page.fill('.bar input[type=search]', 'grac');
    await page.press('.bar input[type=search]', 'Enter');
    assert.equal(new URL(page.url()).searchParams.get('q'), 'grac');
    const guests = page.locator('section[aria-labelledby=guests]');
    assert.match(await guests.innerText(), /Grace Kelly[\s\S]*Hill House[\s\S]*Grace Hopper[\s\S]*Sea House/);
    const link = await guests.locator('a').last().getAttribute('href');
    assert.equal(link, `/console/stay?code=${code}`);
  });

  it('finds a code, an address and a property; says so when there is nothing', async () => {
    for (const [question, section] of [
      [code, 'codes'],
      ['grace@navy', 'guests'],
      ['hill', 'properties'],
    ] as const) {
      await page.goto(world.at(`search?q=${encodeURIComponent(question)}`));
      assert.equal(await page.locator(`section[aria-labelledby=${section}]`).count(), 1, question);
    }
    await page.goto(world.at('search?q=nobody'));
    assert.match(await main(), /Nothing found for “nobody”/);
    await page.goto(world.at('search?q=x'));
    assert.match(await main(), /Two letters or more/);
  });

  it('a sub-account finds what is in its properties; a read-only one finds no name; a cleaner has no search', async () => {
    const desk = await world.person('staff', { properties: [world.hill] });
    await desk.goto(world.at('search?q=grace'));
    const found = await desk.innerText('main');
    assert.match(found, /Grace Kelly/);
    assert.doesNotMatch(found, /Hopper|Sea House/);
    await desk.goto(world.at(`search?q=${code}`));
    assert.match(await desk.innerText('main'), /Nothing found/);
    const looker = await world.person('read_only');
    await looker.goto(world.at('search?q=grace'));
    assert.match(await looker.innerText('main'), /Nothing found/);
    await looker.goto(world.at(`search?q=${code}`));
    assert.doesNotMatch(await looker.innerText('main'), /Hopper/);
    const cleaner = await world.person('cleaner');
    assert.equal((await cleaner.goto(world.at('search?q=grace')))?.status(), 403);
    for (const one of [desk, looker, cleaner]) await one.close();
  });

  it('nothing is in the way of anybody', async () => {
    await page.goto(world.at('search?q=grace'));
    assert.deepEqual(await obstaclesOn(page, 'search'), []);
  });

  it('S28: texts that would run something are found and shown as texts', async () => {
    const quoted = (text: string) => `'${text.replaceAll('\u0000', '').replaceAll("'", "''")}'`;
    for (const text of PAYLOADS) {
      await world.service.run(`update mirror.guests set name = ${quoted(`Grace ${text}`)}`);
      await world.service.run(`update mirror.properties set name = ${quoted(text)}`);
      await page.goto(world.at(`search?q=${encodeURIComponent(text.slice(0, 190))}`));
      await page.goto(world.at('search?q=grace'));
    }
    assert.deepEqual(world.pages.problems, []);
  });

  it('who is erased is found no longer', async () => {
    await page.goto(world.at('search?q=navy'));
    assert.equal(await page.locator('section[aria-labelledby=guests]').count(), 1);
    await world.service.portal('POST', '/portal/erase_guest', { reservation_code: code });
    await page.goto(world.at('search?q=navy'));
    assert.match(await main(), /Nothing found/);
  });
});
