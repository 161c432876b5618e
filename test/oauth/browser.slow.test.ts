import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { acceptInvite, invite } from '../../src/core/people/signIn.ts';
import { type Browser, describeInBrowser, startBrowser } from '../support/browser.ts';
import { oauthOf, startCore, type TestCore } from '../support/core.ts';
import { DESKTOP, obstacles, PHONE } from '../support/obstacles.ts';
import { startReceiver, type TestReceiver } from '../support/receiver.ts';
import { until } from '../support/service.ts';
import { formText, PASSWORD, pkcePair, register } from './support/flow.ts';

const NAMES = [
  `<script>console.log('ran')</script>`,
  `"><img src=x onerror=alert('ran')>`,
  `</strong></title><svg onload=console.log('ran')>`,
  `<meta http-equiv=refresh content="0;url=http://evil.example/">`,
  `<form action=http://evil.example/><button>Allow</button></form>`,
  `<style>@import 'http://evil.example/a.css';</style>`,
  `\u202eelppA\u202c\u200b`,
  'Ein sehr langer Name ohne jede Pause'.replaceAll(' ', '').repeat(3),
];
const OVERFLOW = 'document.documentElement.scrollWidth - innerWidth';

describeInBrowser('the pages of OAuth in a browser', () => {
  let core: TestCore;
  let browser: Browser;
  let application: TestReceiver;
  let url: string;
  before(async () => {
    core = await startCore();
    const { secret } = await invite(core.core, core.own.account);
    await acceptInvite(core.core, { secret, login: 'ann', password: PASSWORD });
    url = await core.app.listen({ host: '127.0.0.1', port: 0 });
    application = await startReceiver();
    browser = await startBrowser();
  });
  after(async () => {
    await browser.close();
    await application.close();
    await core.close();
  });

  const linkFor = async (name: string) => {
    const { client_id } = await register(oauthOf(core.core), { name, redirectUris: [application.url] });
    const { challenge: code_challenge } = pkcePair();
    const asked = { client_id, response_type: 'code', scope: 'write', code_challenge, code_challenge_method: 'S256' };
    return `${url}/oauth/authorize?${formText({ ...asked, state: 'a&b' })}`;
  };

  it('a person signs in, reads, allows, and arrives at the application; nobody is in anybody’s way', async () => {
    const tab = await browser.newTab();
    const picture = async (name: string, dark = false) => {
      const folder = process.env['PICTURES'];
      if (folder === undefined) return;
      for (const width of [PHONE, DESKTOP])
        writeFileSync(join(folder, `${name}-${width}.png`), await tab.picture(width, { dark, whole: true }));
    };
    const has = (text: string) =>
      until(() => tab.evaluate(`document.body?.innerText.includes(${JSON.stringify(text)})`), text);
    await tab.open(await linkFor('Channel helper'));
    await has('say who you are');
    assert.deepEqual(await obstacles(tab), []);
    await picture('sign-in');
    const signIn = (password: string) =>
      tab.evaluate(
        `login.value = 'ann'; password.value = ${JSON.stringify(password)}; document.querySelector('button').click()`,
      );
    await signIn('wrong');
    await has('Login or password is wrong.');
    assert.deepEqual(await obstacles(tab), []);
    await signIn(PASSWORD);
    await has('Allow Channel helper to use your account?');
    assert.deepEqual(await obstacles(tab), []);
    await picture('consent');
    await picture('consent-dark', true);
    await tab.evaluate(`document.querySelector('button[value=allow]').click()`);
    await until(() => application.received.length > 0, 'the answer at the application');
    const [arrived] = application.received;
    const params = new URL(arrived?.path ?? '', application.url).searchParams;
    assert.match(params.get('code') ?? '', /^stayd_oac_/);
    assert.equal(params.get('state'), 'a&b');
    assert.equal(arrived?.headers.referer, undefined, 'it does not learn where from');
    await tab.open(`${url}/oauth/authorize?client_id=app_unknown`);
    await has('This cannot be allowed');
    assert.deepEqual(await obstacles(tab), []);
    await picture('refused');
    assert.deepEqual(tab.record.violations, []);
  });

  it(`S28: ${NAMES.length} names that are not names: none runs, loads, leads away or breaks out`, async () => {
    const tab = await browser.newTab();
    for (const name of NAMES) {
      await tab.open(await linkFor(name));
      for (const width of [PHONE, DESKTOP]) {
        await tab.resize(width, 900);
        assert.equal(await tab.evaluate(OVERFLOW), 0, `${width} ${name}`);
      }
      assert.deepEqual(await tab.evaluate('[...document.forms].map((form) => form.action)'), [`${url}/oauth/consent`]);
    }
    assert.deepEqual([tab.record.executions, tab.record.violations], [[], []]);
    assert.deepEqual(
      tab.record.requests.filter((one) => !one.startsWith(url)),
      [],
    );
  });
});
