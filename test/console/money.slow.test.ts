import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { addDays } from '../../src/kernel/dates.ts';
import { describeInBrowser } from '../support/browser.ts';
import { type ConsoleWorld, startConsoleWorld } from '../support/consoleWorld.ts';
import { PAYLOADS } from '../support/hostileTexts.ts';
import { obstaclesOn } from '../support/pages.ts';
import { call, until } from '../support/service.ts';

/** Sea House belongs to somebody. */
const OWN_SETTINGS = `# The books of two houses.
exports:
  books:
    local:
      properties:
        1: { owner: smith, contract: full } # Sea House
      owners:
        smith: { name: Mary Smith }
      contracts:
        full: { mode: agent, percent: 20 }
`;

describeInBrowser('the Money page', () => {
  let world: ConsoleWorld;
  let page: Page;
  let lastMonth: string;
  let folder: string;
  let settings: string;

  const main = () => page.innerText('main');
  const said = () => page.innerText('.said');
  const shows = (pattern: RegExp) =>
    until(async () => pattern.test(await main()), `the page to say ${String(pattern)}`);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stayd-money-'));
    settings = join(folder, 'stayd.yaml');
    writeFileSync(settings, OWN_SETTINGS);
    world = await startConsoleWorld({ STAYD_CONFIG: settings });
    lastMonth = addDays(`${world.today.slice(0, 7)}-01`, -1).slice(0, 7);
    const held = await world.book(world.sea, -6, -2, { guest_name: 'Ada Lovelace', received_amount: 300 });
    await world.book(world.hill, 2, 4, { received_amount: 100 });
    for (const event of ['required', 'paid'] as const) {
      await world.service.portal('POST', `/portal/stays/${held.reservation_code}/deposit`, { event, amount: 120 });
    }
    await world.service.settled();
    page = await world.person();
    page.setDefaultTimeout(30_000);
  });
  after(async () => {
    await world.remove();
    rmSync(folder, { recursive: true });
  });

  it('one click from Today: who still owes, and which deposits are to be given back', async () => {
    await page.goto(world.at('today'));
    await page.click('nav >> text=Money');
    assert.match(
      await page.innerText('section[aria-labelledby=balances]'),
      /Grace Hopper[\s\S]*Hill House[\s\S]*€200\.00/,
    );
    assert.match(await page.innerText('section[aria-labelledby=deposits]'), /Ada Lovelace[\s\S]*€120\.00/);
    const balances = page.locator('section[aria-labelledby=balances]');
    await balances.getByLabel('Property').selectOption({ label: 'Sea House' });
    await balances.getByRole('button', { name: 'Show' }).click();
    assert.match(await balances.innerText(), /None of these owes anything/);
    assert.match(page.url(), /property=\d/);
    for (const half of ['after=2026-01-01', 'after_code=X']) {
      assert.equal((await page.goto(world.at(`money?${half}`)))?.status(), 200, half);
      assert.match(await balances.innerText(), /Grace Hopper/);
    }
    for (const wrong of ['after=x&after_code=y', 'since=foo', 'property=Sea']) {
      assert.equal((await page.goto(world.at(`money?${wrong}`)))?.status(), 404, wrong);
    }
    await page.goto(world.at('money'));
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

  it('what has no place in the books gets one on the page, which the settings file keeps', async () => {
    const { id } = await world.service.portal('POST', '/portal/dictionaries/income_items', { name: 'Bicycles' });
    const { income_methods: methods } = await world.service.v3('GET', '/income_methods');
    await world.service.v3('POST', '/transactions', {
      direction: 'income',
      item_id: id,
      payment_method_id: methods[0].id,
      amount: 12,
      currency: 'EUR',
      paid_at: `${lastMonth}-10`,
      property_id: world.sea,
    });
    await world.service.settled();
    await page.goto(world.at(`money?month=${lastMonth}`));
    const bicycles = page.locator('tr', { has: page.locator('th:has-text("Bicycles")') });
    assert.equal(await bicycles.locator('select').inputValue(), 'extra');
    await bicycles.locator('select').selectOption({ label: 'Cleaning' });
    await page.click('button:text-is("Give them these places")');
    assert.match(await said(), /has its place in the books/);
    assert.equal(await bicycles.locator('select').count(), 0);
    const text = readFileSync(settings, 'utf8');
    assert.match(text, new RegExp(`"?${id}"?: cleaning`));
    assert.ok(text.startsWith(OWN_SETTINGS.slice(0, 40)), 'comments and order stay');
    const [entry] = (await world.service.portal('GET', '/portal/audit?limit=1&action=place')).entries;
    assert.deepEqual(
      [entry.entrance, entry.subject, entry.old_values, entry.new_values],
      ['console', 'books:local', { [`items.income.${id}`]: null }, { [`items.income.${id}`]: 'cleaning' }],
    );
    const refused = await call(world.service, 'POST', '/portal/exports/map', {
      body: { connection: 'local', items: { income: { [id]: 'bicycles' } } },
    });
    assert.equal(refused.http, 422);
    assert.equal(refused.json.error.field, `items.income.${id}`);
    assert.equal(readFileSync(settings, 'utf8'), text);
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
    await world.service.portal('POST', '/portal/exports/book', {});
    await books.goto(world.at('money'));
    await books.click('section[aria-labelledby=statements] a', { timeout: 15_000 });
    assert.match(await books.innerText('body'), /Mary Smith[\s\S]*Sea House/);
    for (const role of ['manager', 'staff', 'read_only'] as const) {
      const person = await world.person(role);
      assert.equal((await person.goto(world.at('money')))?.status(), 403, role);
      const cookies = (await person.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
      const headers = {
        cookie: cookies,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      };
      const statement = await call(world.service, 'GET', `/console/money/statement?owner=smith&month=${lastMonth}`, {
        token: null,
        headers: { cookie: cookies },
      });
      assert.equal(statement.http, 403, role);
      for (const action of ['close', 'add', 'run', 'place']) {
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
