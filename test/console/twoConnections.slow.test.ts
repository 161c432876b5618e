import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { stringify } from 'yaml';
import { addDays, dateIn } from '../../src/kernel/dates.ts';
import { type ServiceProcess, startProcess } from '../service/support/process.ts';
import { describeInBrowser } from '../support/browser.ts';
import { accept } from '../support/consoleWorld.ts';
import { obstaclesOn, openPages, type Pages } from '../support/pages.ts';
import { freePort } from '../support/port.ts';
import { dataDirectory, portal, startTestService, type TestService, until } from '../support/service.ts';

const PAGES = ['today', 'inbox', 'calendar', 'tasks', 'money', 'reports', 'rules', 'health', 'setup', 'search?q=house'];

interface Side {
  readonly service: TestService;
  readonly property: number;
  readonly code: string;
}

/** A daemon without a core that mirrors two deployments, with a console over both. */
describeInBrowser('the console over two connections', () => {
  const dataDir = dataDirectory();
  const today = dateIn('Europe/Berlin', Date.now());
  const day = (days: number) => addDays(today, days);
  let north: Side;
  let south: Side;
  let daemon: ServiceProcess;
  let pages: Pages;
  let page: Page;
  const at = (path: string, connection?: string) => {
    const url = new URL(`${daemon.url}/console/${path}`);
    if (connection !== undefined) url.searchParams.set('connection', connection);
    return url.href;
  };
  const main = () => page.innerText('main');
  const guestsOf = async ({ service }: Side): Promise<string[]> =>
    (await service.v3('GET', '/reservations?limit=100')).reservations.map(
      (one: { guest_name: string }) => one.guest_name,
    );

  async function startSide(port: number, house: string, guest: string): Promise<Side> {
    const service = await startTestService({ STAYD_OUTBOUND_ALLOW: `127.0.0.1:${port}` });
    const { property_id: property } = await service.v3('POST', '/properties', { name: house });
    const { reservation_code: code } = await service.v3('POST', '/reservations', {
      property_id: property,
      check_in_date: day(0),
      check_out_date: day(3),
      guest_name: guest,
      number_of_guests: 2,
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 0,
    });
    await service.settled();
    return { service, property, code };
  }

  before(async () => {
    const port = await freePort();
    north = await startSide(port, 'Pine house', 'Grace Hopper');
    south = await startSide(port, 'Palm house', 'Ada Lovelace');
    const config = join(dataDir, 'stayd.yaml');
    const connections = Object.fromEntries(
      Object.entries({ north, south }).map(([name, { service }]) => [name, { url: service.url, token: service.token }]),
    );
    writeFileSync(config, stringify({ connections }));
    daemon = await startProcess(dataDir, {
      STAYD_PORT: String(port),
      STAYD_CONFIG: config,
      STAYD_ROLES: 'receive,work,schedule,console',
    });
    await until(async () => {
      const { connections: states } = await portal(daemon, 'GET', '/portal/status');
      return ['north', 'south'].every(
        (name) => states[name].caught_up_age !== null && states[name].catch_up_due === null,
      );
    }, 'the first read of both');
    pages = await openPages(daemon.url);
    const { secret } = await portal(daemon, 'POST', '/portal/invites', {});
    page = await accept(await pages.person(), (path) => at(path), { secret, login: 'ada' });
  });
  after(async () => {
    await pages.close();
    await daemon.kill('SIGINT');
    for (const { service } of [north, south]) await service.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('begins with the first one, and another is chosen in the bar', async () => {
    await page.goto(at('today'));
    assert.match(await main(), /Grace Hopper[\s\S]*Pine house/);
    await page.selectOption('#connection', 'south');
    await page.click('form.choice:has(#connection) button');
    assert.equal(new URL(page.url()).searchParams.get('connection'), 'south');
    assert.match(await main(), /Ada Lovelace[\s\S]*Palm house/);
  });

  it('links stay with the connection', async () => {
    await page.click('nav >> text=Calendar');
    assert.equal(new URL(page.url()).searchParams.get('connection'), 'south');
    assert.match(await main(), /Palm house/);
    await page.goto(at('today', 'south'));
    await page.click('main >> text=Ada Lovelace');
    assert.match(page.url(), /\/stay\?.*connection=south/);
  });

  for (const [own, other] of [
    ['north', /Palm house|Ada Lovelace/],
    ['south', /Pine house|Grace Hopper/],
  ] as const) {
    it(`no page of ${own} has a word of the other one`, async () => {
      const found: string[] = [];
      for (const path of [...PAGES, `stay?code=${(own === 'north' ? north : south).code}`]) {
        const answer = await page.goto(at(path, own));
        assert.equal(answer?.status(), 200, path);
        if (other.test(await main())) found.push(path);
      }
      assert.deepEqual(found, []);
      // The code of a stay of the other one is none here.
      const foreign = own === 'north' ? south : north;
      assert.equal((await page.goto(at(`stay?code=${foreign.code}`, own)))?.status(), 404);
    });
  }

  it('a booking is made at the chosen deployment, and only there', async () => {
    await page.goto(at(`book?property=${south.property}&from=${day(10)}&to=${day(12)}`, 'south'));
    await page.fill('#guest_name', 'Dorothy Vaughan');
    await page.fill('#rate_amount', '240');
    await page.click('main form[method=post] button[type=submit]');
    assert.match(await main(), /Dorothy Vaughan/);
    assert.ok((await guestsOf(south)).includes('Dorothy Vaughan'));
    assert.ok(!(await guestsOf(north)).includes('Dorothy Vaughan'));
  });

  it('nights are blocked there alone', async () => {
    await page.goto(at(`calendar?from=${day(18)}`, 'south'));
    await page.click('.calendar .unit a >> text=Palm house');
    await page.fill('#block-first', day(20));
    await page.fill('#block-last', day(21));
    await page.click('button:text-is("Block")');
    await page.waitForSelector('.said >> text=/Palm house will be blocked/');
    const isFree = async ({ service, property }: Side) => {
      const asked = `property_ids=${property}&start_date=${day(20)}&end_date=${day(20)}`;
      return (await service.v3('GET', `/availabilities?${asked}`)).properties[0].availabilities[0].available;
    };
    await until(async () => !(await isFree(south)), 'the block in the south');
    assert.equal(await isFree(north), true);
  });

  it('what happens at either appears on its open page', async () => {
    await page.goto(at(`today?day=${day(30)}`, 'north'));
    await north.service.v3('POST', '/reservations', {
      property_id: north.property,
      check_in_date: day(30),
      check_out_date: day(32),
      guest_name: 'Katherine Johnson',
      number_of_guests: 1,
      rate_amount: 100,
      commission_amount: 0,
      received_amount: 0,
    });
    await page.waitForSelector('main >> text=Katherine Johnson', { timeout: 15_000 });
  });

  it('a connection that there is not is not found, and nothing of another is shown', async () => {
    assert.equal((await page.goto(at('today', 'west')))?.status(), 404);
    assert.doesNotMatch(await page.innerText('body'), /Grace Hopper|Ada Lovelace/);
  });

  it('nothing is in the way, and nothing broke the policy of the pages', async () => {
    const found: string[] = [];
    for (const path of ['today', 'calendar', 'money']) {
      await page.goto(at(path, 'south'));
      found.push(...(await obstaclesOn(page, `two-${path}`)));
    }
    assert.deepEqual(found, []);
    // The page that is not there is the only one that the browser noted.
    assert.deepEqual(
      pages.problems.filter((one) => !one.includes('404')),
      [],
    );
  });
});
