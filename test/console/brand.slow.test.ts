import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { addDays } from '../../src/kernel/dates.ts';
import { describeInBrowser } from '../support/browser.ts';
import { addApplication } from '../support/consent.ts';
import { type ConsoleWorld, startConsoleWorld } from '../support/consoleWorld.ts';
import { PAYLOADS } from '../support/hostileTexts.ts';
import { obstaclesOn } from '../support/pages.ts';
import { pngWith } from '../support/pictures.ts';

/** Sea House belongs to somebody. */
const OWN_SETTINGS = `exports:
  books:
    local:
      properties:
        1: { owner: smith, contract: full }
      owners:
        smith: { name: Mary Smith }
      contracts:
        full: { mode: agent, percent: 20 }
`;

describeInBrowser('the look of the account', () => {
  let world: ConsoleWorld;
  let page: Page;
  let folder: string;
  let shared: string;
  let work: string;
  let consent: string;
  let month: string;
  const main = () => page.innerText('main');
  const logo = { name: 'logo.png', mimeType: 'image/png', buffer: pngWith({ width: 320, height: 96 }) };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stayd-brand-'));
    writeFileSync(join(folder, 'stayd.yaml'), OWN_SETTINGS);
    world = await startConsoleWorld({ STAYD_CONFIG: join(folder, 'stayd.yaml') });
    month = addDays(`${world.today.slice(0, 7)}-01`, -1).slice(0, 7);
    await world.book(world.sea, -40, -35, { received_amount: 300 });
    ({ url: shared } = await world.service.v3('POST', '/calendar_share_links', { scope: 'entire' }));
    const { staff_id } = await world.service.v3('POST', '/staffs', { name: 'Mia Clean', mobile: '+49 1701234567' });
    const link = await world.service.portal('POST', '/portal/staff_links', { account: 'demo', staff_id });
    work = new URL(new URL(link.url).pathname, world.service.url).href;
    const client_id = await addApplication(world.service, 'https://assistant.example/back');
    const query = { client_id, response_type: 'code', code_challenge_method: 'S256', code_challenge: 'a'.repeat(43) };
    consent = `${world.service.url}/oauth/authorize?${new URLSearchParams(query).toString()}`;
    await world.service.settled();
    await world.service.portal('POST', '/portal/exports/book', {});
    page = await world.person();
    page.setDefaultTimeout(30_000);
  });
  after(async () => {
    await world.remove();
    rmSync(folder, { recursive: true });
  });

  it('is set on a page that shows it as others see it', async () => {
    await page.goto(world.at('setup'));
    await page.click('main a[href*="/brand"]');
    assert.match(await main(), /Nothing is set yet/);
    await page.fill('#name', 'Sea & Sons');
    await page.fill('#color', '#0b57a8');
    await page.setInputFiles('#logo', logo);
    await page.click('main form button');
    assert.match(await page.innerText('.said'), /saved/);
    assert.equal(await page.innerText('.masthead p'), 'Sea & Sons');
    const line: string = await page.evaluate('getComputedStyle(document.querySelector(".masthead")).borderBottomColor');
    assert.equal(line, 'rgb(11, 87, 168)');
    const width: number = await page.evaluate('document.querySelector(".masthead img").naturalWidth');
    assert.equal(width, 320);
    const [entry] = (await world.service.portal('GET', '/portal/audit?limit=1&action=change%20brand')).entries;
    assert.deepEqual([entry.entrance, entry.new_values.name], ['console', 'Sea & Sons']);
  });

  it('stands on every page for others, whose logo the browser shows', async () => {
    const months = await world.service.portal('GET', '/mirror/reports/owner-statement');
    month = String(months.rows[0].month);
    for (const address of [shared, work, consent, world.at(`money/statement?owner=smith&month=${month}`)]) {
      await page.goto(address);
      assert.match(await page.innerText('body'), /Sea & Sons/, address);
      const width: number = await page.evaluate('document.querySelector("header img").naturalWidth');
      assert.equal(width, 320, address);
    }
  });

  it('looks the same on the pages of the console’s style sheet and on those with their own', async () => {
    const looks: object[] = [];
    for (const address of [shared, work, world.at('brand')]) {
      await page.goto(address);
      const look: object = await page.evaluate(`['.masthead', '.masthead img', '.masthead p'].map((one) => {
        const { display, borderBottom, paddingBottom, marginBottom, fontWeight, gap, objectFit } =
          getComputedStyle(document.querySelector(one));
        return { display, borderBottom, paddingBottom, marginBottom, fontWeight, gap, objectFit };
      })`);
      looks.push(look);
    }
    assert.match(JSON.stringify(looks[0]), /^\[\{"display":"flex","borderBottom":"3px solid rgb\(11, 87, 168\)"/);
    assert.deepEqual(looks[1], looks[0]);
    assert.deepEqual(looks[2], looks[0]);
  });

  it('a wrong colour and a file that is no picture are refused, and what was typed stays', async () => {
    await page.goto(world.at('brand'));
    await page.fill('#name', 'Other');
    await page.fill('#color', 'blue');
    await page.click('main form button');
    assert.match(await page.innerText('[role=alert]'), /color/);
    assert.equal(await page.inputValue('#name'), 'Other');
    await page.fill('#color', '');
    await page.setInputFiles('#logo', { ...logo, buffer: Buffer.from('<svg onload="alert(1)"/>') });
    await page.click('main form button');
    assert.match(await page.innerText('[role=alert]'), /JPEG or PNG/);
    await page.goto(world.at('brand'));
    assert.equal(await page.inputValue('#name'), 'Sea & Sons');
  });

  it('owners alone set it', async () => {
    for (const role of ['manager', 'bookkeeper', 'read_only'] as const) {
      const person = await world.person(role);
      assert.equal((await person.goto(world.at('brand')))?.status(), 403, role);
    }
  });

  it('names that would run something are shown as texts, everywhere', async () => {
    for (const text of PAYLOADS.filter((one) => one.trim() !== '' && one.length <= 80)) {
      const words = `'${text.replaceAll('\u0000', '').replaceAll("'", "''")}'`;
      await world.service.run(`update core.brands set name = ${words}`);
      for (const address of [
        world.at('brand'),
        shared,
        work,
        consent,
        world.at(`money/statement?owner=smith&month=${month}`),
      ]) {
        await page.goto(address, { waitUntil: 'domcontentloaded' });
      }
    }
    assert.deepEqual(world.pages.problems, []);
  });

  it('nothing is in the way of anybody, at any width, light and dark; it is taken away again', async () => {
    await world.service.portal('PATCH', '/portal/brand', { account: 'demo', name: 'Sea & Sons' });
    for (const [name, address] of [
      ['brand', world.at('brand')],
      ['brand-share', shared],
      ['brand-work', work],
      ['brand-consent', consent],
      ['brand-statement', world.at(`money/statement?owner=smith&month=${month}`)],
    ] as const) {
      await page.goto(address);
      assert.deepEqual(await obstaclesOn(page, name), []);
    }
    await page.goto(world.at('brand'));
    await page.fill('#name', '');
    await page.fill('#color', '');
    await page.check('[name=without_logo]');
    await page.click('main form button');
    assert.match(await main(), /Nothing is set yet/);
    await page.goto(shared);
    assert.doesNotMatch(await page.innerText('body'), /Sea & Sons/);
  });
});
