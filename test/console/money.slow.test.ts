import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { addDays } from '../../src/kernel/dates.ts';
import { describeInBrowser } from '../support/browser.ts';
import { type ConsoleWorld, startConsoleWorld } from '../support/consoleWorld.ts';
import { PAYLOADS } from '../support/hostileTexts.ts';
import { obstaclesOn } from '../support/pages.ts';
import { call, until } from '../support/service.ts';

describeInBrowser('the Money page', () => {
  let world: ConsoleWorld;
  let page: Page;
  let lastMonth: string;

  const main = () => page.innerText('main');
  const said = () => page.innerText('.said');
  const shows = (pattern: RegExp) =>
    until(async () => pattern.test(await main()), `the page to say ${String(pattern)}`);

  before(async () => {
    world = await startConsoleWorld();
    lastMonth = addDays(`${world.today.slice(0, 7)}-01`, -1).slice(0, 7);
    const held = await world.book(world.sea, -6, -2, { guest_name: 'Ada Lovelace', received_amount: 300 });
    await world.book(world.hill, 2, 4, { received_amount: 100 });
    for (const event of ['required', 'paid'] as const) {
      await world.service.portal('POST', `/portal/stays/${held.reservation_code}/deposit`, { event, amount: 120 });
    }
    await world.service.settled();
    page = await world.person();
    page.setDefaultTimeout(10_000);
  });
  after(() => world.remove());

  it('one click from Today: who still owes, and which deposits are to be given back', async () => {
    await page.goto(world.at('today'));
    await page.click('nav >> text=Money');
    assert.match(
      await page.innerText('section[aria-labelledby=balances]'),
      /Grace Hopper[\s\S]*Hill House[\s\S]*€200\.00/,
    );
    assert.match(await page.innerText('section[aria-labelledby=deposits]'), /Ada Lovelace[\s\S]*€120\.00/);
    await page.click('section[aria-labelledby=deposits] summary');
    await page.click('section[aria-labelledby=deposits] details[open] button');
    assert.match(await said(), /Deposit of Ada Lovelace: €120\.00 given back/);
    await page.goto(world.at('money'));
    await shows(/No deposit waits/);
  });

  it('the month-end says what stands in the way and what has no place in the books', async () => {
    await page.selectOption('#month', lastMonth);
    await page.click('button:text-is("Check the month")');
    assert.equal(new URL(page.url()).searchParams.get('month'), lastMonth);
    const text = await page.innerText('section[aria-labelledby=month-end]');
    assert.match(text, /no place in the books yet|has its place/);
    assert.match(text, /debit = credit/);
  });

  it('a month is closed softly, opened with a reason, and closed for good, each said before', async () => {
    const close = (name: string) => page.locator(`summary:text-is("${name}")`);
    if (/in the way/.test(await main())) await world.service.portal('POST', '/portal/reconcile', {});
    await page.goto(world.at(`money?month=${lastMonth}`));
    assert.match(await main(), /Nothing stands in the way/);
    assert.match(await page.innerText('form[aria-label="Close softly"]'), /asks for a reason/);
    await page.click('button:text-is("Close softly")');
    assert.match(await said(), new RegExp(`Closed softly: ${lastMonth}`));
    assert.equal(await close('Close for good').count(), 1);
    await close('Open again').click();
    await page.fill('details[open] #reason', 'An invoice came late');
    await page.click('details[open] form[action*="money/reopen"] button');
    assert.match(await said(), /open again/);
    await close('Close for good').click();
    assert.match(await page.innerText('details[open] form[action*="money/close"]'), /never change afterwards/);
    await page.click('details[open] form[action*="money/close"] button');
    assert.match(await said(), new RegExp(`Closed for good: .*${lastMonth}`));
    assert.match(await main(), /is closed for good/);
  });

  it('a month is written in a format, and its files are given by the page', async () => {
    await page.selectOption('#job', 'jsonl');
    await page.selectOption('#run-period', lastMonth);
    await page.click('form[action*="money/run"] button');
    assert.match(await said(), /jsonl: \d+ entr/);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('a[download]:has-text(".manifest.json")'),
    ]);
    const manifest: unknown = JSON.parse(readFileSync(await download.path(), 'utf8'));
    assert.ok(typeof manifest === 'object' && manifest !== null);
    const run = new URL(page.url()).searchParams.get('run') ?? '';
    for (const name of ['../../core.db', 'other.jsonl']) {
      const answer = await page.goto(world.at(`money/file?run=${run}&name=${encodeURIComponent(name)}`));
      assert.equal(answer?.status(), 422, name);
    }
  });

  it('names of items, methods and own channels are added and changed; a name that is taken is refused', async () => {
    await page.goto(world.at('money'));
    const list = (name: string) => page.locator(`section[aria-labelledby="list-${name}"]`);
    await list('custom_channels').locator('input[name=name]').last().fill('Friends');
    await list('custom_channels').locator('button').last().click();
    assert.match(await said(), /Friends is added/);
    await list('income_items').locator('form').last().locator('input[name=name]').fill('Accommodation');
    await list('income_items').locator('form').last().locator('button').click();
    assert.match(await list('income_items').locator('[role=alert]').innerText(), /Accommodation/);
    assert.equal(
      await list('income_items').locator('form').last().locator('input[name=name]').inputValue(),
      'Accommodation',
    );
    await list('income_items').locator('form').nth(1).locator('input[name=name]').fill('Final cleaning');
    await list('income_items').locator('form').nth(1).locator('button').click();
    assert.match(await said(), /called Final cleaning/);
    const { income_items } = await world.service.v3('GET', '/income_items');
    assert.ok(income_items.some(({ name }: { name: string }) => name === 'Final cleaning'));
  });

  it('bookkeepers may, managers and staff may not', async () => {
    const books = await world.person('bookkeeper');
    assert.equal((await books.goto(world.at('money')))?.status(), 200);
    for (const role of ['manager', 'staff', 'read_only'] as const) {
      const person = await world.person(role);
      assert.equal((await person.goto(world.at('money')))?.status(), 403, role);
      const cookies = (await person.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
      const headers = {
        cookie: cookies,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      };
      for (const action of ['close', 'add', 'run']) {
        const answer = await call(world.service, 'POST', `/console/money/${action}`, { token: null, headers });
        assert.equal(answer.http, 403, `${role} ${action}`);
      }
    }
    const some = await world.person('bookkeeper', { properties: [world.sea] });
    assert.equal((await some.goto(world.at('money')))?.status(), 403);
  });

  it('nothing in the way of anybody, at any width, light and dark', async () => {
    await page.goto(world.at(`money?month=${lastMonth}`));
    assert.deepEqual(await obstaclesOn(page, 'money'), []);
  });

  it('S28: texts that would run something are shown as texts', async () => {
    for (const text of PAYLOADS) {
      const words = `'${text.replaceAll('\u0000', '').replaceAll("'", "''")}'`;
      for (const set of [
        `guests set name = ${words}`,
        `properties set name = ${words}`,
        `reservations set custom_channel = ${words}`,
        `dictionary_items set name = ${words}`,
        `custom_channels set name = ${words}`,
      ]) {
        await world.service.run(`update mirror.${set}`);
      }
      await page.goto(world.at('money'));
      const shown = await page.textContent('section[aria-labelledby=balances] tbody th');
      assert.equal(shown, text.replaceAll('\u0000', ''));
    }
    assert.deepEqual(world.pages.problems, []);
  });
});
