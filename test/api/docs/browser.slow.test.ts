import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { LONGEST_QUESTION } from '../../../src/api/docs/frame/document.ts';
import { operations } from '../../../src/contract/index.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { startCore, type TestCore } from '../../support/core.ts';
import { PAYLOADS } from '../../support/hostileTexts.ts';
import { obstaclesOn, openPages, type Pages } from '../../support/pages.ts';

/** What would run, load or lead elsewhere, were it markup. */
const ACTIVE =
  'script,style,link,meta,base,img,svg,math,iframe,object,video,input,[onload],[onerror],[onfocus],[style]';
/** The guest of the example. */
const GUEST = operations.createReservation.example.guest_name;

describeInBrowser('the reference of v3 in a browser', () => {
  let core: TestCore;
  let pages: Pages;
  let context: BrowserContext;
  let page: Page;
  let url: string;
  before(async () => {
    core = await startCore();
    url = await core.app.listen({ host: '127.0.0.1', port: 0 });
    await core.call('createProperty', { title: 'Sea View' });
    pages = await openPages(url);
    context = await pages.person();
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
    page = await context.newPage();
  });
  after(async () => {
    await pages.close();
    await core.close();
  });

  const open = (path: string) => page.goto(`${url}${path}`);
  const operation = (id: string) => page.locator(`section#${id}`);
  const shownLanguages = (id: string) =>
    operation(id)
      .locator('.samples figure:visible')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-language')));

  it('search: what is typed is found at once, by the keyboard alone, and by its form', async () => {
    await open('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type('lock_code_vis');
    await page.locator('.found a', { hasText: 'lock_code_visible_after' }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/reservations#updateCheckInDetails.lock_code_visible_after');
    await page.fill('.find input', 'rate_limited');
    await page.locator('.found a').first().waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.found a').count(), 0);
    await page.press('.find input', 'Enter');
    await page.waitForURL('**/docs/search?q=rate_limited');
    await page.click('.results a >> nth=0');
    await page.waitForURL('**/docs/errors#error-429');
  });

  it('copies the request in the language that was chosen, which stays chosen on other pages', async () => {
    await open('/docs/reservations');
    assert.deepEqual(await shownLanguages('createReservation'), ['curl']);
    await operation('createReservation').locator('button', { hasText: 'Python' }).click();
    assert.deepEqual(await shownLanguages('createReservation'), ['python']);
    assert.deepEqual(await shownLanguages('cancelReservation'), ['python'], 'on the whole page');
    await operation('createReservation').locator('.samples [data-copy]:visible').click();
    await operation('createReservation').locator('button', { hasText: 'Copied' }).waitFor();
    const copied: string = await page.evaluate('navigator.clipboard.readText()');
    assert.match(copied, /^import json, os, urllib\.request\n/);
    assert.ok(copied.includes(`"guest_name": "${GUEST}",`), copied);
    await open('/docs/reviews');
    assert.deepEqual(await shownLanguages('listReviews'), ['python']);
    const pressed = operation('listReviews').locator('[aria-pressed=true]');
    assert.equal((await pressed.innerText()).trim(), 'Python');
    await operation('listReviews').locator('button', { hasText: 'curl' }).click();
  });

  it('tries a read at once: the answer as text with its codes and time; the token’s account is named', async () => {
    await open('/docs/properties');
    await page.fill('#token', core.own.readToken);
    await page.click('[data-account] button');
    await page.locator('[data-account] [role=status]', { hasText: 'own (EUR, Europe/Berlin)' }).waitFor();
    const list = operation('listProperties');
    await list.locator('.try summary').click();
    await list.locator('.try button[type=submit]').click();
    await list.locator('.result pre').waitFor();
    const said = await list.locator('.result').innerText();
    assert.match(said, /GET \/v3\/properties\?limit=50[^]*HTTP\s+200[^]*error_code\s+200[^]*\d+ ms[^]*"Sea View"/);
  });

  it('a write waits for a yes that names the account and what will happen; a no sends nothing', async () => {
    await open('/docs/reservations');
    const create = operation('createReservation');
    await create.locator('.try summary').click();
    await create.locator('.try button[type=submit]').click();
    assert.equal(await page.evaluate('document.activeElement.id'), 'token', 'it is asked for first');
    await page.fill('#token', core.own.token);
    const before = await core.stored();
    await create.locator('.try button[type=submit]').click();
    await create.locator('.confirm button').first().waitFor();
    const warning = await create.locator('.confirm').innerText();
    assert.match(warning, /This is real[^]*Makes a direct booking[^]*reservation_created[^]*Account: own/);
    await create.locator('.confirm button', { hasText: 'Cancel' }).click();
    assert.equal(await create.locator('.confirm').isVisible(), false);
    assert.equal(await core.stored(), before);

    await create.locator('.try button[type=submit]').click();
    await create.locator('.confirm button', { hasText: 'Send it' }).click();
    await create.locator('.result pre', { hasText: 'reservation_code' }).waitFor();
    const { reservations } = await core.call('listReservations', {
      start_check_in_date: '2027-03-01',
      end_check_in_date: '2027-03-31',
    });
    assert.equal(reservations[0].guest_name, GUEST);

    await create.locator('[data-body]').fill('{');
    await create.locator('.try button[type=submit]').click();
    await create.locator('.confirm button', { hasText: 'Send it' }).click();
    await create.locator('.result dd', { hasText: /^400$/ }).waitFor();
  });

  it('what an answer holds is shown as text, and a path cannot be left by what is typed', async () => {
    await core.call('createReservationTag', { tag_name: '<img src=x>' });
    await open('/docs/reservation-tags');
    await page.fill('#token', core.own.token);
    const list = operation('listReservationTags');
    await list.locator('.try summary').click();
    await list.locator('[data-field=keyword]').fill('');
    await list.locator('.try button[type=submit]').click();
    await list.locator('.result pre', { hasText: '<img src=x' }).waitFor();
    assert.equal(await page.locator('img').count(), 0);
    await open('/docs/reservations');
    await page.fill('#token', core.own.token);
    const fields = operation('getCustomFields');
    await fields.locator('.try summary').click();
    await fields.locator('[data-field=stay_code]').fill('../../portal/tokens?');
    await fields.locator('.try button[type=submit]').click();
    await fields.locator('.result pre').waitFor();
    assert.match(
      await fields.locator('.result').innerText(),
      /GET \/v3\/reservations\/\.\.%2F\.\.%2Fportal%2Ftokens%3F\/custom_fields/,
    );
  });

  it('the token is nowhere but in its field: not stored, not in an address, gone with the page', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await open('/docs/accounts');
    await page.fill('#token', core.own.token);
    await operation('getAccount').locator('.try summary').click();
    await operation('getAccount').locator('.try button[type=submit]').click();
    await operation('getAccount').locator('.result pre').waitFor();
    const kept: string = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state])',
    );
    assert.ok(!kept.includes(core.own.token) && asked.every((one) => !one.includes(core.own.token)));
    await page.reload();
    assert.equal(await page.inputValue('#token'), '');
  });

  it('is readable without scripts: all languages, all guides, the search by its form; no form that could not work', async () => {
    const bare = await context.browser()!.newContext({ javaScriptEnabled: false });
    const plain = await bare.newPage();
    await plain.goto(`${url}/docs/reservations`);
    const section = plain.locator('section#createReservation');
    for (const language of ['curl', 'typescript', 'python']) {
      assert.ok(await section.locator(`figure[data-language=${language}] pre`).isVisible(), language);
    }
    for (const hidden of [
      '#token',
      'section#createReservation .try',
      'section#createReservation [data-copy] >> nth=0',
    ]) {
      assert.equal(await plain.locator(hidden).isVisible(), false, hidden);
    }
    await plain.fill('.find input', 'reconciliation');
    await plain.click('.find button');
    await plain.click('.results a >> nth=0');
    assert.match(plain.url(), /\/docs\/guides\//);
    await bare.close();
  });

  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? 'with' : 'without';
    it(`S28: ${PAYLOADS.length} scripts as what is searched, ${how} scripts: none runs, each is shown as text`, async () => {
      const own = await pages.person({ javaScriptEnabled });
      const tab = await own.newPage();
      const policyOf = async (path: string) => (await tab.goto(`${url}${path}`))?.headers()['content-security-policy'];
      const policy = await policyOf('/docs');
      assert.match(String(policy), /^default-src 'none'; script-src 'sha256-/);
      for (const payload of PAYLOADS) {
        const path = `/docs/search?q=${encodeURIComponent(payload)}`;
        assert.equal(await policyOf(path), policy, payload);
        const shown = `Search: ${payload.trim().slice(0, LONGEST_QUESTION)}`.replaceAll('\u0000', '');
        assert.equal(await tab.textContent('h1'), shown);
        assert.equal(await tab.locator('main').locator(ACTIVE).count(), 0, payload);
        assert.equal(tab.url().split('?')[0], `${url}/docs/search`, payload);
      }
      await own.close();
    });
  }

  it('nobody is in anybody’s way on any kind of page, light and dark, 360 to 1,280 pixels', async () => {
    for (const path of [
      '/docs',
      '/docs/reservations',
      '/docs/events',
      '/docs/errors',
      '/docs/guides',
      '/docs/guides/mirror',
      '/docs/search?q=reservation',
      '/docs/nothing',
    ]) {
      await open(path);
      assert.deepEqual(await obstaclesOn(page, path.replaceAll(/[^\w]+/g, '-').slice(1)), [], path);
    }
  });

  it('no page breaks its content policy, logs anything, or asks for anything elsewhere', () => {
    assert.deepEqual(pages.problems, []);
  });
});
