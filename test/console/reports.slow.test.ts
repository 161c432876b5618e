import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { type ConsoleWorld, startConsoleWorld } from '../support/consoleWorld.ts';
import { PAYLOADS } from '../support/hostileTexts.ts';
import { obstaclesOn } from '../support/pages.ts';

describeInBrowser('Reports in a browser', () => {
  let world: ConsoleWorld;
  let page: Page;
  const main = () => page.innerText('main');
  /** A report's page begins before its numbers are there. */
  const whole = () => page.waitForLoadState();

  before(async () => {
    world = await startConsoleWorld();
    await world.book(world.sea, 0, 3);
    await world.book(world.hill, 1, 2, { rate_amount: 120 });
    await world.book(world.hill, -365, -363, { rate_amount: 80 });
    await world.service.settled();
    page = await world.person();
  });
  after(() => world.remove());

  it('from Today in two clicks: revenue as a picture and a table', async () => {
    await page.goto(world.at('today'));
    await page.click('nav >> text=Reports');
    const subjects = await page.locator('.catalogue h2').allInnerTexts();
    assert.ok(subjects.includes('Demand') && subjects.includes('Owners'), String(subjects));
    await page.click('text=Revenue by night');
    await whole();
    assert.match(await main(), /Revenue by night[\s\S]*Rental|Revenue by night[\s\S]*Amount/);
    assert.equal((await page.locator('svg[role=img] rect').count()) > 0, true);
    assert.match(await page.innerText('section[aria-labelledby=rows]'), /€/);
  });

  it('the question stands in the address: properties by themselves, and a year before', async () => {
    await page.goto(world.at('reports?report=occupancy'));
    await page.selectOption('#property', { label: 'Each by itself' });
    await page.check('[name=compare]');
    await page.click('main form button');
    await whole();
    const asked = new URL(page.url()).searchParams;
    assert.deepEqual([asked.get('property'), asked.get('compare')], ['all', 'year']);
    const rows = await page.locator('section[aria-labelledby=rows] tbody tr').allInnerTexts();
    const hill = rows.find((row) => row.includes('Hill House') && row.includes('€120.00'));
    assert.match(String(hill), /€80\.00[\s\S]*\+€40\.00/);
  });

  it('a question that the report cannot answer is refused in words, and stays typed', async () => {
    await page.goto(world.at('reports?report=occupancy&from=soon'));
    assert.match(await page.innerText('[role=alert]'), /from: "soon" is no date/);
    assert.equal(await page.inputValue('#from'), 'soon');
    assert.equal((await page.goto(world.at('reports?report=none')))?.status(), 404);
    await page.goto(world.at('reports?report=occupancy&from=2019&to=2019'));
    assert.match(await main(), /No rows/);
  });

  it('gives a CSV file and a workbook of the same rows', async () => {
    await page.goto(world.at('reports?report=revenue-by-stay-date'));
    const fileOf = async (name: string): Promise<Buffer> => {
      const [file] = await Promise.all([page.waitForEvent('download'), page.click(`text=${name}`)]);
      return readFileSync(await file.path());
    };
    const csv = (await fileOf('CSV file')).toString();
    assert.match(csv, /^span,period,item,currency,stays,amount\n/);
    assert.match(csv, /\nmonth,\d{4}-\d\d,[^\n]*,EUR,\d+,\d+\.\d\d\n/);
    const book = await fileOf('Excel workbook');
    assert.equal(book.subarray(0, 2).toString(), 'PK');
    assert.ok(book.length > 1_000);
  });

  it('every report of the catalogue can be seen', async () => {
    await page.goto(world.at('reports'));
    const links = await page.locator('.catalogue a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    assert.ok(links.length > 30);
    for (const link of links) {
      const answer = await page.goto(new URL(String(link), page.url()).href);
      assert.equal(answer?.status(), 200, String(link));
    }
  });

  it('is not for a manager, nor for a bookkeeper who sees some properties only', async () => {
    const manager = await world.person('manager');
    assert.equal((await manager.goto(world.at('reports')))?.status(), 403);
    const some = await world.person('bookkeeper', { properties: [world.hill] });
    assert.equal((await some.goto(world.at('reports/csv?report=occupancy')))?.status(), 403);
    const books = await world.person('bookkeeper');
    assert.equal((await books.goto(world.at('reports?report=occupancy')))?.status(), 200);
    for (const one of [manager, some, books]) await one.close();
  });

  it('nothing is in the way of anybody', async () => {
    const found: string[] = [];
    await page.goto(world.at('reports'));
    found.push(...(await obstaclesOn(page, 'reports')));
    await page.goto(world.at('reports?report=occupancy&property=all&compare=year'));
    await page.click('summary');
    found.push(...(await obstaclesOn(page, 'report')));
    await page.goto(world.at('reports?report=house'));
    found.push(...(await obstaclesOn(page, 'report-lines')));
    assert.deepEqual(found, []);
  });

  it('S28: texts that would run something are shown as texts', async () => {
    const quoted = (text: string) => `'${text.replaceAll('\u0000', '').replaceAll("'", "''")}'`;
    for (const text of PAYLOADS) {
      await world.service.run(`update mirror.properties set name = ${quoted(text)}`);
      await page.goto(world.at('reports?report=occupancy&property=all'));
    }
    assert.deepEqual(world.pages.problems, []);
  });
});
