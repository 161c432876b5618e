import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { addDays, type PlainDate } from '../../src/kernel/dates.ts';
import { describeInBrowser } from '../support/browser.ts';
import {
  accept as acceptInvite,
  type ConsoleWorld,
  PASSWORD,
  soon,
  startConsoleWorld,
} from '../support/consoleWorld.ts';
import { PAYLOADS } from '../support/hostileTexts.ts';
import { obstaclesOn, type Pages } from '../support/pages.ts';
import { call, type TestService } from '../support/service.ts';

describeInBrowser('the console in a browser', () => {
  let world: ConsoleWorld;
  let service: TestService;
  let pages: Pages;
  let ada: BrowserContext;
  let page: Page;
  let today: PlainDate;
  let sea: number;
  let hill: number;

  const at = (path: string) => world.at(path);
  const book = (...given: Parameters<ConsoleWorld['book']>) => world.book(...given);
  const main = () => page.innerText('main');
  const invited = async (operatorId?: number): Promise<string> =>
    (await service.portal('POST', '/portal/invites', operatorId === undefined ? {} : { operator_id: operatorId }))
      .secret;
  const accept = (context: BrowserContext, secret: string, login: string) =>
    acceptInvite(context, at, { secret, login });

  before(async () => {
    world = await startConsoleWorld();
    ({ service, pages, today, sea, hill } = world);
    await book(sea, 0, 3);
    await book(hill, -2, 0, { guest_name: 'Ada Lovelace', received_amount: 300 });
    await service.settled();
    ada = await pages.person();
  });
  after(() => world.remove());

  it('a stranger is asked who they are, and goes on to the page they wanted', async () => {
    page = await ada.newPage();
    await page.goto(service.url);
    assert.equal(page.url(), at('sign-in?next=%2Fconsole%2Ftoday'));
    await page.goto(at(`today?day=${addDays(today, 1)}`));
    assert.match(page.url(), /sign-in\?next=/);
    await page.close();
  });

  it('the link with the one-time secret leads to a login, and leaves nothing in the address', async () => {
    const secret = await invited();
    page = await accept(ada, secret, 'ada');
    assert.equal(page.url(), at('today'));
    assert.equal(await page.evaluate('history.length > 0 && location.hash'), '');
    const again = await accept(await pages.person(), secret, 'eve');
    assert.match(await again.innerText('[role=alert]'), /not valid/);
    assert.equal(await again.inputValue('#login'), 'eve');
    await again.close();
  });

  it('a wrong password is refused in words; the right one leads on', async () => {
    const tab = await (await pages.person()).newPage();
    await tab.goto(at(`health`));
    await tab.fill('#login', 'ada');
    await tab.fill('#password', 'something else');
    await tab.click('main button');
    assert.match(await tab.innerText('[role=alert]'), /Login or password is wrong/);
    await tab.fill('#password', PASSWORD);
    await tab.click('main button');
    assert.equal(tab.url(), at('health'));
    await tab.close();
  });

  it('Today says who arrives, who leaves, what they owe and what is missing', async () => {
    await page.goto(at('today'));
    const arrivals = await page.innerText('section[aria-labelledby=arrivals]');
    for (const text of ['Grace Hopper', 'Sea House', '3 nights', '2 guests', '€300.00', 'payment']) {
      assert.ok(arrivals.includes(text), `${text} in ${arrivals}`);
    }
    const departures = await page.innerText('section[aria-labelledby=departures]');
    assert.match(departures, /Ada Lovelace[\s\S]*Hill House[\s\S]*nothing/);
    assert.match(await page.innerText('section[aria-labelledby=staying]'), /Nobody stays on/);
    await page.click('nav.days >> text=Tomorrow');
    assert.match(await main(), /Nobody arrives[\s\S]*Staying on[\s\S]*Grace Hopper/);
  });

  it('one property can be chosen, and the address keeps it', async () => {
    await page.goto(at('today'));
    await page.selectOption('#property', { label: 'Hill House' });
    await page.click('main >> text=Show');
    assert.equal(new URL(page.url()).searchParams.get('property'), String(hill));
    assert.match(await main(), /Nobody arrives[\s\S]*Ada Lovelace/);
  });

  it('a booking made elsewhere appears on the open page within a second, and the focus stays', async () => {
    await page.goto(at('today'));
    await page.focus('#property');
    const timeout = await soon(page);
    await book(hill, 0, 2, { guest_name: 'Katherine Johnson' });
    await page.waitForSelector('text=Katherine Johnson', { timeout });
    assert.equal(await page.evaluate('document.activeElement.id'), 'property');
    // The next one, too: the page that was put in listens on.
    await book(sea, 3, 5, { guest_name: 'Mary Jackson' });
    await page.goto(at(`today?day=${addDays(today, 3)}`));
    await page.waitForSelector('text=Mary Jackson', { timeout });
  });

  it('Calendar has a row for each property, a cell for each stay and block, and finds a property by its name', async () => {
    const dates = { start_date: addDays(today, 5), end_date: addDays(today, 6) };
    await service.v3('POST', '/availabilities', { property_ids: [hill], ...dates, available: false });
    await page.goto(at('calendar'));
    const row = (name: string) => page.locator('.calendar [data-unit]', { hasText: name });
    assert.equal(await row('Sea House').locator('.stay', { hasText: 'Grace Hopper' }).count(), 1);
    const cell = row('Sea House').locator('[role=cell]:has(.stay)', { hasText: 'Grace Hopper' });
    assert.equal(await cell.getAttribute('aria-colspan'), '3');
    // The page renews itself when the block has reached the mirror.
    await row('Hill House').locator('.block').waitFor();
    assert.equal(await row('Hill House').locator('.block').count(), 1);
    const widths: number[] = await page.evaluate(
      '[...document.querySelectorAll(".calendar [role=columnheader]")].slice(1).map((one) => Math.round(one.offsetWidth))',
    );
    assert.equal(new Set(widths).size, 1, 'every night is as wide as the others');
    await page.click('text=Later');
    assert.equal(new URL(page.url()).searchParams.get('from'), addDays(today, 12));
    await page.fill('#named', 'hill');
    await page.click('text=Find >> nth=-1');
    assert.deepEqual(await page.locator('.calendar [role=rowheader]').allInnerTexts(), ['Hill House']);
    await page.goto(at('calendar?named=castle'));
    assert.match(await main(), /No property/);
  });

  it('Health says that all is well, and in words when it is not', async () => {
    await page.goto(at('health'));
    assert.match(await main(), /Everything is in step/);
    await page.click('summary');
    assert.match(await main(), /Reservations, later|Reservations/);
    await service.run("update mirror.connections set state = 'paused', reason = 'unauthorized'");
    try {
      await page.reload();
      assert.match(await main(), /Nothing is read since/);
      await page.goto(at('today'));
      assert.match(await page.innerText('main p.bad'), /needs a person|need a person/);
    } finally {
      await service.run("update mirror.connections set state = 'active', reason = null");
    }
  });

  it('speaks German to those who ask for it, with dates and amounts as they are written there', async () => {
    const german = await pages.person({ locale: 'de-DE' });
    await german.addCookies(await ada.cookies());
    const tab = await german.newPage();
    await tab.goto(at('today'));
    assert.equal(await tab.getAttribute('html', 'lang'), 'de');
    const text = await tab.innerText('main');
    assert.match(text, /Anreisen[\s\S]*300,00\s€[\s\S]*Abreisen/);
    await tab.setViewportSize({ width: 360, height: 900 });
    const rows: number = await tab.evaluate(
      `new Set([...document.querySelectorAll('.bar nav a')].map((one) => one.offsetTop)).size`,
    );
    assert.ok(rows <= 2, `the pages take ${rows} rows on a phone`);
    await tab.close();
  });

  it('a sub-account sees its own properties, no other page, and no other account', async () => {
    const { id } = await service.portal('POST', '/portal/sub_accounts', { name: 'Front desk', property_ids: [hill] });
    const desk = await accept(await pages.person(), await invited(id), 'desk');
    const text = await desk.innerText('body');
    assert.match(text, /Katherine Johnson[\s\S]*Ada Lovelace/);
    assert.doesNotMatch(text, /Grace Hopper|Sea House|Health/);
    await desk.goto(at(`today?property=${sea}`));
    assert.doesNotMatch(await desk.innerText('body'), /Grace Hopper|Sea House/);
    const refused = await desk.goto(at('health'));
    assert.equal(refused?.status(), 403);
    assert.match(await desk.innerText('main'), /not for you/);
    await desk.close();
  });

  it('bad addresses are answered with a page that says so', async () => {
    for (const path of [
      'today?day=2027-02-30',
      'today?property=all',
      'calendar?page=0',
      'today?connection=other',
      'nowhere',
    ]) {
      const answer = await page.goto(at(path));
      assert.equal(answer?.status(), 404, path);
    }
  });

  it('nothing in the way of anybody, at any width, light and dark', async () => {
    const found: string[] = [];
    const stranger = await (await pages.person()).newPage();
    for (const path of ['sign-in', 'welcome']) {
      await stranger.goto(at(path));
      found.push(...(await obstaclesOn(stranger, path)));
    }
    for (const path of ['today', 'calendar', 'health']) {
      await page.goto(at(path));
      found.push(...(await obstaclesOn(page, path)));
    }
    assert.deepEqual(found, []);
  });

  it('S28: texts that would run something are shown as texts', async () => {
    for (const index of PAYLOADS.keys()) {
      await book(sea, 10 + index, 11 + index, { guest_name: `Guest ${index}` });
    }
    await service.settled();
    // Behind the service's back, since its own limits would refuse some.
    const quoted = (text: string) => `'${text.replaceAll('\u0000', '').replaceAll("'", "''")}'`;
    for (const [index, text] of PAYLOADS.entries()) {
      await service.run(`update mirror.guests set name = ${quoted(text)} where name = 'Guest ${index}'`);
    }
    await service.run(`update mirror.properties set name = ${quoted(String(PAYLOADS[1]))} where id = ${sea}`);
    for (let index = 0; index < PAYLOADS.length; index += 1) {
      await page.goto(at(`today?day=${addDays(today, 10 + index)}`));
    }
    for (let from = 10; from < 10 + PAYLOADS.length; from += 28) {
      await page.goto(at(`calendar?from=${addDays(today, from)}`));
    }
    await page.goto(at(`today?day=${addDays(today, 9 + PAYLOADS.length)}`));
    const shown = await page.textContent('section[aria-labelledby=arrivals] tbody th');
    assert.equal(shown, PAYLOADS.at(-1)?.replaceAll('\u0000', ''));
    assert.deepEqual(pages.problems, []);
  });

  it('a page of another site signs nobody in or out, and leads nobody away', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' };
    for (const path of ['sign-in', 'welcome', 'sign-out']) {
      const answer = await fetch(at(path), { method: 'POST', headers, body: 'login=ada', redirect: 'manual' });
      assert.equal(answer.status, 403, path);
    }
    for (const next of ['//evil.example/', 'https://evil.example/', '/console/\\evil', '/portal/x']) {
      const { text } = await call(service, 'GET', `/console/sign-in?next=${encodeURIComponent(next)}`, { token: null });
      assert.match(text, /name="next" value="\/console\/today"/, next);
    }
  });

  it('signing out ends the session, on the open page as well', async () => {
    const other = await ada.newPage();
    await other.goto(at('today'));
    await other.click('text=Sign out');
    assert.equal(other.url(), at('sign-in'));
    await page.goto(at('today'));
    assert.match(page.url(), /sign-in/);
  });
});
