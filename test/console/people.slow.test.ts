import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { may, type Right, rights } from '../../src/console/access.ts';
import { PAGES } from '../../src/console/pages.ts';
import { codeAt } from '../../src/core/people/secondFactor/totp.ts';
import { ROLES } from '../../src/kernel/roles.ts';
import { fromBase32 } from '../support/base32.ts';
import { describeInBrowser } from '../support/browser.ts';
import { type ConsoleWorld, PASSWORD, startConsoleWorld } from '../support/consoleWorld.ts';
import { PAYLOADS } from '../support/hostileTexts.ts';
import { obstaclesOn } from '../support/pages.ts';

const STEP_MS = 30_000;

describeInBrowser('people and how they sign in', () => {
  let world: ConsoleWorld;
  let owner: Page;
  const main = (page: Page) => page.innerText('main');

  before(async () => {
    world = await startConsoleWorld();
    owner = await world.person('owner');
  });
  after(() => world.remove());

  const signIn = async (context: BrowserContext, login: string, origin = world.service.url) => {
    const page = await context.newPage();
    await page.goto(`${origin}/console/sign-in`);
    await page.fill('#login', login);
    await page.fill('#password', PASSWORD);
    await page.click('main button');
    return page;
  };

  it('the owner invites a colleague, whose link works once and leads to what their role may see', async () => {
    await owner.goto(world.at('people'));
    assert.match(await main(owner), /Nobody but you/);
    await owner.fill('#name', 'Margaret Hamilton');
    await owner.selectOption('#role', 'staff');
    await owner.selectOption('#sees', 'some');
    await owner.check('text=Sea House');
    await owner.click('text=Add, and make the link');
    const link = await owner.innerText('code.secret');
    assert.match(link, /\/console\/welcome#/);
    const margaret = await (await world.pages.person()).newPage();
    await margaret.goto(link);
    await margaret.fill('#login', 'margaret');
    await margaret.fill('#password', PASSWORD);
    await margaret.click('main button');
    assert.equal(margaret.url(), world.at('today'));
    await margaret.goto(world.at('calendar'));
    assert.match(await main(margaret), /Sea House/);
    assert.doesNotMatch(await main(margaret), /Hill House/);
    const refused = await margaret.goto(world.at('people'));
    assert.equal(refused?.status(), 403);
    await owner.goto(world.at('people'));
    assert.match(await main(owner), /Margaret Hamilton[\s\S]*staff[\s\S]*Sea House[\s\S]*margaret/);
    // Access that is taken away ends at once.
    await owner.click('text=Take access away');
    assert.match(await main(owner), /signed out everywhere at once/);
    await owner.click('button.danger');
    await margaret.goto(world.at('today'));
    assert.match(margaret.url(), /sign-in/);
  });

  it('the record says who did it, by the console, with the values', async () => {
    await owner.goto(world.at('record'));
    const text = await owner.innerText('main tbody');
    assert.match(text, /console[\s\S]*Sub-account added/);
    assert.match(text, /Margaret Hamilton/);
    const choose = async (action: string) => {
      await owner.selectOption('#action', { label: action });
      await owner.click('main form button');
      await owner.waitForURL(/[?&]action=\w/);
      return await owner.locator('main tbody td:nth-of-type(3)').allInnerTexts();
    };
    await world.service.v3('POST', '/properties', { name: 'Mill' });
    await world.service.v3('POST', '/groups', { name: 'Coast', property_ids: [world.sea] });
    // createPropertyGroup begins with createProperty.
    assert.deepEqual([...new Set(await choose('Property added'))], ['Property added']);
    await owner.goto(world.at('record?action=nothing like it'));
    assert.match(await main(owner), /Nothing of this kind/);
  });

  it('an authenticator is added by its first code, and asked for from then on', async () => {
    const grace = await world.person('staff');
    await grace.goto(world.at('me'));
    await grace.click('text=Add an authenticator app');
    const key = (await grace.innerText('main code')).replaceAll(' ', '');
    await grace.fill('#code', '000000');
    await grace.fill('#name', 'My phone');
    await grace.click('main button');
    assert.match(await grace.innerText('[role=alert]'), /code: is not the one/);
    assert.equal(await grace.inputValue('#name'), 'My phone', 'what was typed is still there');
    const again = (await grace.innerText('main code')).replaceAll(' ', '');
    assert.notEqual(again, key);
    await grace.fill('#code', codeOf(again));
    await grace.click('main button');
    const codes = await grace.locator('.codes code').allInnerTexts();
    assert.equal(codes.length, 10);
    const login = 'staff2';
    const tab = await signIn(await world.pages.person(), login);
    assert.match(tab.url(), /second-step/);
    await tab.goto(world.at('today'));
    assert.match(tab.url(), /sign-in/, 'a password alone opens nothing');
    await tab.goto(world.at('second-step'));
    await tab.fill('#code', '123456');
    await tab.click('main button');
    assert.match(await tab.innerText('[role=alert]'), /code: is wrong/);
    await tab.fill('#code', codes[0] ?? '');
    await tab.click('main button');
    assert.equal(tab.url(), world.at('today'));
    // Both browsers are listed, and the other one can be ended from here.
    await tab.goto(world.at('me'));
    assert.match(await main(tab), /9 recovery codes are left/);
    await tab.click('button:text-is("End")');
    await grace.goto(world.at('today'));
    assert.match(grace.url(), /sign-in/);
    assert.deepEqual(await obstaclesOn(tab, 'me'), []);
  });

  it('a passkey of the browser is made and used; nothing of it works on another name', async () => {
    const origin = world.service.url.replace('127.0.0.1', 'localhost');
    const { secret } = await world.service.portal('POST', '/portal/invites', {});
    const context = await world.pages.person();
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto(`${origin}/console/welcome#${secret}`);
    await page.fill('#login', 'chief');
    await page.fill('#password', PASSWORD);
    await page.click('main button');
    await page.goto(`${origin}/console/me`);
    await page.click('text=Add a passkey');
    await page.click('main button');
    await page.waitForSelector('.codes');
    await page.click('text=Sign out');
    await page.fill('#login', 'chief');
    await page.fill('#password', PASSWORD);
    await page.click('main button');
    await page.click('text=Use a passkey');
    await page.waitForURL(`${origin}/console/today`);
    // Browsers permit none on a bare address: there the recovery codes remain.
    const bare = await signIn(await world.pages.person(), 'chief');
    assert.equal(await bare.locator('text=Use a passkey').count(), 0);
    assert.match(await main(bare), /Recovery code/);
    owner = page;
    // The other tests speak to the service by its address.
    await owner.goto(`${origin}/console/me`);
    await owner.click('summary:text-is("Remove")');
    await owner.click('button.danger:text-is("Remove")');
    assert.match(await main(owner), /There is none yet/);
    owner = await signIn(await world.pages.person(), 'chief');
  });

  it('a password is changed only with the one of now, and other sessions end', async () => {
    const other = await signIn(await world.pages.person(), 'chief');
    await owner.goto(world.at('me'));
    await owner.fill('#old', 'something else');
    await owner.fill('#password', 'eighteen loud geese');
    await owner.click('text=Change the password');
    assert.match(await owner.innerText('[role=alert]'), /wrong/);
    await owner.fill('#old', PASSWORD);
    await owner.fill('#password', 'eighteen loud geese');
    await owner.click('text=Change the password');
    assert.match(await owner.innerText('.said'), /The password is changed/);
    await other.goto(world.at('today'));
    assert.match(other.url(), /sign-in/);
  });

  it('every role sees the pages that the table gives it, and no other; forms without the right are refused', async () => {
    const leaks: string[] = [];
    for (const role of ROLES) {
      const page = role === 'owner' ? owner : await world.person(role);
      const holder = { role, properties: null };
      for (const { path, right, actions = [] } of PAGES) {
        // Some pages show one thing, which their address names.
        const answer = await page.request.get(world.at(path), { maxRedirects: 0 });
        const isDenied = answer.status() === 403 || answer.status() === 303;
        if (may(holder, right) === isDenied) leaks.push(`${role} ${path}: ${answer.status()}`);
        for (const action of actions.filter((one) => !may(holder, one.right))) {
          const sent = await page.request.post(world.at(`${path}/${action.name}`), {
            headers: { origin: world.service.url },
            form: {},
            maxRedirects: 0,
          });
          if (sent.status() !== 403) leaks.push(`${role} ${path}/${action.name}: ${sent.status()}`);
        }
      }
    }
    assert.deepEqual(leaks, []);
    const unused = (Object.keys(rights) as Right[]).filter(
      (right) =>
        right !== 'persons' && !PAGES.some((one) => one.right === right || one.actions?.some((a) => a.right === right)),
    );
    assert.deepEqual(unused, [], 'each row of the table is the right of a page or an action');
  });

  it('a role that has the pages alone lets no application in, which could do more than the pages', async () => {
    const page = await world.person('cleaner');
    const answer = await page.request.get(`${world.service.url}/oauth/authorize?client_id=x&response_type=code`);
    assert.match(await answer.text(), /Your role opens the pages of the console alone/);
    const managed = await page.request.get(`${world.service.url}/portal/tokens`);
    assert.equal(managed.status(), 401);
  });

  it('who sees some properties alone gets no page of the whole account, whatever the role', async () => {
    const page = await world.person('bookkeeper', { properties: [world.sea] });
    for (const { path, right } of PAGES.filter((one) => 'whole' in rights[one.right])) {
      const answer = await page.request.get(world.at(path), { maxRedirects: 0 });
      assert.equal(answer.status(), 403, `${path} (${right})`);
    }
  });

  it('S28: hostile names run nothing, and every page is free of obstacles', async () => {
    for (const text of PAYLOADS.filter((one) => one.length <= 100 && one.trim() !== '' && !one.includes('\u0000'))) {
      await world.service.portal('POST', '/portal/sub_accounts', { name: text, role: 'staff' });
    }
    const found: string[] = [];
    for (const path of ['people', 'record', 'me?add=authenticator']) {
      await owner.goto(world.at(path));
      found.push(...(await obstaclesOn(owner, path.replace(/\W/g, '-'))));
    }
    assert.deepEqual(found, []);
    assert.deepEqual(world.pages.problems, []);
  });

  /** The code that an authenticator with this key shows now. */
  function codeOf(key: string): string {
    return codeAt(fromBase32(key), Math.floor(Date.now() / STEP_MS));
  }
});
