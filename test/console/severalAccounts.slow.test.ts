import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { accept } from '../support/consoleWorld.ts';
import { openPages, type Pages } from '../support/pages.ts';
import { call, startTestService, type TestService, until } from '../support/service.ts';

const PAGES = ['today', 'inbox', 'calendar', 'tasks', 'money', 'reports', 'rules', 'health', 'setup', 'search?q=house'];
const NEVER_READ = '2020-01-01T00:00:00.000Z';

/** One service with two accounts, and the owner of each signed in. */
describeInBrowser('the console of several accounts', () => {
  let service: TestService;
  let pages: Pages;
  let north: Page;
  let south: Page;
  const at = (path: string) => `${service.url}/console/${path}`;

  async function house(account: string, name: string): Promise<void> {
    const { token } = await service.portal('POST', '/portal/tokens', { name: 'test', scope: 'write', account });
    const made = await call(service, 'POST', '/v3/properties', { token, body: { name } });
    assert.equal(made.json.error_code, 200, made.text);
  }

  async function owner(account: string, login: string): Promise<Page> {
    const { secret } = await service.portal('POST', '/portal/invites', { account });
    return accept(await pages.person(), at, { secret, login });
  }

  before(async () => {
    service = await startTestService();
    const [{ name: first }] = (await service.portal('GET', '/portal/accounts')).accounts;
    await service.portal('POST', '/portal/accounts', { name: 'South', time_zone: 'Europe/Berlin', currency: 'EUR' });
    await house(first, 'Pine house');
    await house('South', 'Palm house');
    await until(
      async () => {
        const rows = await service.rows('select distinct connection from mirror.properties');
        const behind = await service.rows('select connection from mirror.connections where caught_up_at is null');
        return rows.length === 2 && behind.length === 0;
      },
      'both houses',
      90_000,
    );
    pages = await openPages(service.url);
    north = await owner(first, 'ada');
    south = await owner('South', 'grace');
  });
  after(async () => {
    await pages.close();
    await service.remove();
  });

  it('no page of either has a word of the other, nor a choice between them', async () => {
    // A trouble of one account is no news for the other.
    await service.run(`update mirror.connections set state = 'paused', reason = 'refused: Pine house', state_at = '${NEVER_READ}'
      where connection = 'local'`);
    const found: string[] = [];
    for (const [page, other] of [
      [north, /Palm house|local-south/],
      [south, /Pine house|of local(?!-)/],
    ] as const) {
      for (const path of PAGES) {
        const answer = await page.goto(at(path));
        assert.equal(answer?.status(), 200, path);
        if (other.test(await page.innerText('body'))) found.push(`${path}: ${page.url()}`);
        assert.equal(await page.locator('#connection').count(), 0, path);
      }
    }
    assert.deepEqual(found, []);
  });

  it('the connection of the other account is not found', async () => {
    assert.equal((await south.goto(at('today?connection=local')))?.status(), 404);
    assert.equal((await north.goto(at('today?connection=local-south')))?.status(), 404);
  });

  it('what belongs to the whole service is changed by nobody here', async () => {
    await south.goto(at('notices?server=edit'));
    await south.fill('#host', 'mail.example');
    await south.fill('#from', 'evil@mail.example');
    await south.click('form:has(#host) button[type=submit]');
    assert.match(await south.innerText('main'), /Several accounts are here/);
  });
});
