import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { addDays, dateIn, type PlainDate } from '../../src/kernel/dates.ts';
import { ics, type Marketplace, startMarketplace } from '../channels/feeds/support/feedWorld.ts';
import { type ServiceProcess, startProcess } from '../service/support/process.ts';
import { describeInBrowser } from '../support/browser.ts';
import { accept } from '../support/consoleWorld.ts';
import { obstaclesOn, openPages, type Pages } from '../support/pages.ts';
import { freePort } from '../support/port.ts';
import { call, dataDirectory, portal, startTestService, type TestService, until } from '../support/service.ts';

/** A daemon without a core, in a process of its own, over a deployment that is another process's. */
interface Remote {
  readonly daemon: ServiceProcess;
  readonly pages: Pages;
  readonly page: Page;
  at(path: string): string;
  remove(): Promise<void>;
}

describeInBrowser('the console of a daemon without a core', () => {
  let deployment: TestService;
  let remote: Remote;
  let marketplace: Marketplace;
  let today: PlainDate;
  let property: number;
  const day = (days: number) => addDays(today, days);
  const main = () => remote.page.innerText('main');

  async function startRemote(token: string, port: number): Promise<Remote> {
    const dataDir = dataDirectory();
    const daemon = await startProcess(dataDir, {
      STAYD_PORT: String(port),
      STAYD_UPSTREAM_URL: deployment.url,
      STAYD_UPSTREAM_TOKEN: token,
      STAYD_OUTBOUND_ALLOW: marketplace.address,
    });
    await until(async () => {
      const { connections } = await portal(daemon, 'GET', '/portal/status');
      return connections.upstream.caught_up_age !== null && connections.upstream.catch_up_due === null;
    }, 'the first read');
    const at = (path: string) => `${daemon.url}/console/${path}`;
    const pages = await openPages(daemon.url);
    const { secret } = await portal(daemon, 'POST', '/portal/invites', {});
    const page = await accept(await pages.person(), at, { secret, login: 'ada' });
    return {
      daemon,
      pages,
      page,
      at,
      async remove() {
        await pages.close();
        await daemon.kill('SIGINT');
        rmSync(dataDir, { recursive: true, force: true });
      },
    };
  }

  before(async () => {
    marketplace = await startMarketplace();
    const port = await freePort();
    deployment = await startTestService({ STAYD_OUTBOUND_ALLOW: `127.0.0.1:${port}` });
    today = dateIn('Europe/Berlin', Date.now());
    ({ property_id: property } = await deployment.v3('POST', '/properties', { name: 'Sea House' }));
    await book(0, 3);
    await deployment.settled();
    remote = await startRemote(deployment.token, port);
  });
  after(async () => {
    await remote.remove();
    await deployment.remove();
    await marketplace.close();
  });

  const book = (from: number, to: number, more: object = {}) =>
    deployment.v3('POST', '/reservations', {
      property_id: property,
      check_in_date: day(from),
      check_out_date: day(to),
      guest_name: 'Grace Hopper',
      number_of_guests: 2,
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 0,
      ...more,
    });

  it('opens by the first link, at the root, and has the deployment’s day', async () => {
    await remote.page.goto(remote.daemon.url);
    assert.equal(remote.page.url(), remote.at('today'));
    assert.match(await main(), /Grace Hopper[\s\S]*Sea House/);
    // There is still no core.
    assert.equal((await call(remote.daemon, 'GET', '/v3/properties', { token: deployment.token })).http, 404);
  });

  it('what happens at the deployment appears on the open page', async () => {
    await remote.page.goto(remote.at(`today?day=${day(5)}`));
    await book(5, 7, { guest_name: 'Katherine Johnson' });
    await remote.page.waitForSelector('text=Katherine Johnson', { timeout: 15_000 });
  });

  it('a booking is made there, by its own operation', async () => {
    await remote.page.goto(remote.at(`book?property=${property}&from=${day(10)}&to=${day(12)}`));
    await remote.page.fill('#guest_name', 'Dorothy Vaughan');
    await remote.page.fill('#rate_amount', '240');
    await remote.page.click('main form[method=post] button[type=submit]');
    await until(async () => {
      const { reservations } = await deployment.v3('GET', '/reservations?limit=100');
      return reservations.some((one: { guest_name: string }) => one.guest_name === 'Dorothy Vaughan');
    }, 'the booking at the deployment');
  });

  it('nights are blocked there, without a reason, for which the description has no word', async () => {
    const { page, at } = remote;
    await page.goto(at('calendar'));
    await page.click('.calendar .unit a >> text=Sea House');
    assert.equal(await page.locator('#block-reason').count(), 0);
    assert.match(await main(), /A reason cannot be given from here/);
    await page.fill('#block-first', day(20));
    await page.fill('#block-last', day(21));
    await page.click('button:text-is("Block")');
    assert.match(await page.innerText('.said'), /Sea House will be blocked/);
    const asked = `property_ids=${property}&start_date=${day(19)}&end_date=${day(22)}`;
    await until(async () => {
      const { properties } = await deployment.v3('GET', `/availabilities?${asked}`);
      const nights = properties[0].availabilities.map(({ available }: { available: boolean }) => available);
      return JSON.stringify(nights) === '[true,false,false,true]';
    }, 'the block at the deployment');
  });

  it('a reason that is sent all the same is refused, not dropped; one that was set there is shown', async () => {
    const { page, at, daemon } = remote;
    const nights = { first: day(24), last: day(25) };
    const sent = await page.request.post(at('calendar/block'), {
      headers: { origin: daemon.url },
      form: { unit: property, ...nights, reason: 'boiler' },
    });
    assert.equal(sent.status(), 422);
    const asked = `property_ids=${property}&start_date=${nights.first}&end_date=${nights.last}`;
    const { properties } = await deployment.v3('GET', `/availabilities?${asked}`);
    assert.deepEqual(
      properties[0].availabilities.map(({ available }: { available: boolean }) => available),
      [true, true],
    );
    await page.goto(at('calendar'));
    const block = { property_ids: [property], start_date: nights.first, end_date: nights.last, reason: 'painter' };
    await deployment.portal('POST', '/portal/blocks', block);
    await page.waitForSelector('.calendar .block >> text=painter', { timeout: 15_000 });
  });

  it('a guest is answered there, once', async () => {
    const { page, at } = remote;
    const act = (path: string, body: object) => deployment.portal('POST', `/portal/sandbox/${path}`, body);
    const channel = { channel_type: 'marketplace_a' };
    const { channel_account_id } = await act('channel_accounts', channel);
    const { listing_id } = await act('listings', { channel_account_id, property_id: property, base_price: 100 });
    const { conversation_id } = await act('inquiries', {
      ...channel,
      listing_id,
      check_in_date: day(60),
      check_out_date: day(62),
      guest: { name: 'Ina Guest' },
      message: 'Is there a cot?',
    });
    await page.goto(at('inbox'));
    await page.waitForSelector('text=Ina Guest', { timeout: 15_000 });
    await page.click('text=Ina Guest');
    await page.fill('#answer', 'There is.');
    await page.click('.answer button');
    await until(async () => {
      const { messages } = await deployment.v3('GET', `/conversations/${encodeURIComponent(conversation_id)}`);
      return messages.filter(({ content }: { content: string }) => content === 'There is.').length === 1;
    }, 'the answer at the deployment');
  });

  it('what the deployment refuses is said in its words', async () => {
    await remote.page.goto(remote.at(`book?property=${property}&from=${day(40)}&to=${day(42)}`));
    await remote.page.fill('#guest_name', 'Mary Jackson');
    await remote.page.fill('#rate_amount', '240');
    // Meanwhile somebody else books these nights there.
    await book(40, 42, { guest_name: 'Somebody Else' });
    await remote.page.click('main form[method=post] button[type=submit]');
    assert.match(await remote.page.innerText('[role=alert]'), /Nothing was changed/);
    assert.equal(await remote.page.inputValue('#guest_name'), 'Mary Jackson');
  });

  it('what was booked stands on the next page, and a block soon, though no event of that deployment arrives', async () => {
    // The deployment delivers nothing to this port.
    const deaf = await startRemote(deployment.token, await freePort());
    try {
      await deaf.page.goto(deaf.at(`book?property=${property}&from=${day(70)}&to=${day(72)}`));
      await deaf.page.fill('#guest_name', 'Christine Darden');
      await deaf.page.fill('#rate_amount', '240');
      await deaf.page.click('main form[method=post] button[type=submit]');
      assert.match(deaf.page.url(), /stay\?code=/);
      assert.match(await deaf.page.innerText('main'), /Christine Darden/);
      await deaf.page.goto(deaf.at(`calendar?from=${day(80)}`));
      assert.equal(await deaf.page.locator('.calendar .block').count(), 0);
      await deaf.page.click('.calendar .unit a >> text=Sea House');
      await deaf.page.fill('#block-first', day(82));
      await deaf.page.fill('#block-last', day(83));
      await deaf.page.click('button:text-is("Block")');
      await deaf.page.goto(deaf.at(`calendar?from=${day(80)}`));
      await deaf.page.waitForSelector('.calendar .block', { timeout: 15_000 });
      const nights = `unit=${property}&first=${day(88)}&last=${day(89)}`;
      // One at a time: either is an operation of its own.
      for (const [field, value, shown] of [
        ['#price', '145.50', '145.50'],
        ['#minimum', '3', '≥ 3'],
      ] as const) {
        await deaf.page.goto(deaf.at(`calendar?from=${day(80)}&prices=1&${nights}`));
        await deaf.page.fill(field, value);
        await deaf.page.click('text=See what changes');
        await deaf.page.click('text=Change it');
        await deaf.page.waitForSelector('.said');
        await deaf.page.goto(deaf.at(`calendar?from=${day(80)}&prices=1`));
        await deaf.page.waitForSelector(`.calendar >> text=${shown}`, { timeout: 15_000 });
      }
    } finally {
      await deaf.remove();
    }
  });

  it('offers nothing that needs a core', async () => {
    await remote.page.goto(remote.at('setup'));
    assert.doesNotMatch(await main(), /Import a file|Play with simulated|Time zone/);
    for (const path of ['import', 'properties']) {
      assert.equal((await remote.page.goto(remote.at(path)))?.status(), 404, path);
    }
  });

  it('every page opens, with nothing in the way', async () => {
    const found: string[] = [];
    for (const path of [
      'today',
      'inbox',
      'calendar',
      'tasks',
      'money',
      'reports',
      'rules',
      'health',
      'setup',
      'people',
      'access',
    ]) {
      const answer = await remote.page.goto(remote.at(path));
      assert.equal(answer?.status(), 200, path);
      if (['today', 'calendar', 'setup'].includes(path))
        found.push(...(await obstaclesOn(remote.page, `remote-${path}`)));
    }
    assert.deepEqual(found, []);
    assert.deepEqual(remote.pages.problems, []);
  });

  it('the calendar of a marketplace is compared with it: what only one side knows is said, settled, and removed', async () => {
    const { page, at } = remote;
    marketplace.says(
      ics([
        { uid: 'a@m', start: day(0), end: day(3), summary: 'Reserved' },
        { uid: 'lost@m', start: day(300), end: day(304), summary: 'Reserved' },
      ]),
    );
    await page.goto(at('setup'));
    await page.click('main a:text-is("Compared calendars")');
    assert.match(await main(), /No calendar is compared yet/);
    await page.fill('#name', 'Airbnb');
    await page.fill('#url', 'http://127.0.0.1:1/calendar.ics');
    await page.click('button:text-is("Compare")');
    assert.match(await page.innerText('.bad'), /url: /);
    assert.equal(await page.inputValue('#name'), 'Airbnb');
    await page.fill('#url', marketplace.url);
    await page.click('button:text-is("Compare")');
    assert.match(await page.innerText('.said'), /Airbnb is compared: \d+ differences/);
    assert.match(
      await page.innerText('section[aria-labelledby=findings]'),
      /the calendar alone: guests come[\s\S]*may be late/,
    );
    assert.match(await page.innerText('section[aria-labelledby=findings]'), /the mirror alone: 5-/);
    assert.ok(!(await page.content()).includes('s=secret'), 'its address is a secret');
    assert.deepEqual(await obstaclesOn(page, 'remote-comparisons'), []);
    await page.click('section[aria-labelledby=findings] tr:has-text("guests come") button:text-is("I know of it")');
    assert.match(await page.innerText('.said'), /no alarm any more/);
    await page.click('button:text-is("Read now")');
    assert.match(await page.innerText('.said'), /Airbnb is read: \d+ differences/);
    await page.click('summary:text-is("Remove")');
    await page.click('details[open] button:text-is("Remove")');
    assert.match(await page.innerText('.said'), /Airbnb is removed/);
    assert.match(await main(), /No calendar is compared yet/);
  });

  it('with a token that may only read, says so and offers no form', async () => {
    const { token } = await deployment.portal('POST', '/portal/tokens', { name: 'reader', scope: 'read' });
    const reader = await startRemote(token, await freePort());
    try {
      await reader.page.goto(reader.at('calendar'));
      const text = await reader.page.innerText('main');
      assert.match(text, /may only read/);
      assert.match(text, /Sea House/);
      assert.doesNotMatch(text, /New booking/);
      assert.equal((await reader.page.goto(reader.at(`book?property=${property}`)))?.status(), 403);
    } finally {
      await reader.remove();
    }
  });
});
