import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { changePassword } from '../../src/core/people/signIn.ts';
import { sessionHolder } from '../../src/core/people/sessions.ts';
import { removeClient } from '../../src/oauth/revoke.ts';
import { oauthOf, startCore, type TestCore } from '../support/core.ts';
import {
  Browser,
  type Fields,
  formText,
  paramsOf,
  PASSWORD,
  pkcePair,
  REDIRECT,
  register,
  type Registered,
  sealedIn,
  signedIn,
} from './support/flow.ts';

describe('the pages of OAuth', () => {
  let core: TestCore;
  let browser: Browser;
  let client: Registered;
  before(async () => {
    core = await startCore();
    browser = new Browser(core, await signedIn(core, core.own.account, 'ann'));
    client = await register(oauthOf(core.core), { name: 'Channel helper' });
  });
  after(() => core.close());

  const { challenge } = pkcePair();
  const asking = (more: Fields = {}): Fields => ({
    client_id: client.client_id,
    redirect_uri: REDIRECT,
    response_type: 'code',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'xyz',
    ...more,
  });
  const open = (fields: Fields = asking(), by = browser) => by.get(`/oauth/authorize?${formText(fields)}`);
  const codes = async () => (await core.core.store.db.selectFrom('oauth_codes').select('hash').execute()).length;

  it('consent shows who asks, for what, for whom, and where the answer goes', async () => {
    const { body } = await open(asking({ scope: 'write' }));
    for (const text of ['Channel helper', 'app.example', 'own', 'Change everything', 'Do not allow']) {
      assert.ok(body.includes(text), text);
    }
    assert.ok((await open(asking({ scope: 'read' }))).body.includes('Change nothing'));
    assert.ok(
      (await open(asking({ scope: undefined }))).body.includes('Change nothing'),
      'nothing asked for is the least',
    );
  });

  it('headers: nothing but one style sheet and a form to us and there, no frames, no referrer, no cache', async () => {
    const { headers } = await open();
    const policy = String(headers['content-security-policy']);
    assert.match(
      policy,
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; base-uri 'none'; form-action 'self' https:\/\/app\.example; frame-ancestors 'none'$/,
    );
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['x-frame-options'], 'DENY');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    const { headers: refused } = await open(asking({ client_id: 'app_x' }));
    assert.match(String(refused['content-security-policy']), /form-action 'self';/);
  });

  it('no: access_denied goes back, and no code is made', async () => {
    const before = await codes();
    const answered = await browser.consent(asking(), 'deny');
    assert.deepEqual(
      [answered.get('error'), answered.get('state'), answered.get('code')],
      ['access_denied', 'xyz', null],
    );
    assert.equal(await codes(), before);
  });

  it('a stranger signs in first, and then is asked; what is wrong anyway is said before', async () => {
    const stranger = new Browser(core);
    const page = await open(asking(), stranger);
    assert.ok(page.body.includes('action="/oauth/sign-in"'));
    assert.equal((await open(asking({ client_id: 'app_x' }), stranger)).statusCode, 400);
    const query = /name="query" value="([^"]*)"/.exec(page.body)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const wrong = await stranger.post('/oauth/sign-in', { query, login: 'ann', password: 'wrong' });
    assert.equal(wrong.statusCode, 401);
    assert.ok(wrong.body.includes('role="alert"') && wrong.body.includes('Login or password is wrong.'));
    const right = await stranger.post('/oauth/sign-in', { query, login: 'ann', password: PASSWORD });
    assert.equal(right.statusCode, 303);
    assert.equal(right.headers.location, `/oauth/authorize?${formText(asking())}`);
    const cookie = String(right.headers['set-cookie']).split(';')[0] ?? '';
    assert.match(String(right.headers['set-cookie']), /HttpOnly; SameSite=Lax/);
    const answered = await new Browser(core, cookie).consent(asking());
    assert.ok(answered.get('code'));
  });

  it('signing in leads nowhere but to our own page', async () => {
    for (const query of ['//evil.example/', 'https://evil.example/', '\r\nlocation: https://evil.example/', '/../x']) {
      const answer = await new Browser(core).post('/oauth/sign-in', { query, login: 'ann', password: PASSWORD });
      assert.match(String(answer.headers.location), /^\/oauth\/authorize\?[\w%.=+*-]*$/, query);
    }
  });

  it('forms of other sites, of other people, changed or old ones: refused, no code is made', async () => {
    const sealed = sealedIn((await open()).body);
    const before = await codes();
    const send = (fields: Fields, headers?: Record<string, string>, by = browser) =>
      by.post('/oauth/consent', { answer: 'allow', ...fields }, headers);
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ] as Record<string, string>[]) {
      assert.equal((await send({ request: sealed }, headers)).statusCode, 400, JSON.stringify(headers));
    }
    const others = new Browser(core, await signedIn(core, (await core.addAccount('other')).account, 'eve'));
    assert.equal((await send({ request: sealed }, undefined, others)).statusCode, 400);
    assert.equal((await send({ request: sealed }, undefined, new Browser(core))).statusCode, 400);
    for (const request of [`${sealed.slice(0, -2)}AA`, '', 'v1.00000000.AAAA', core.core.sealer.seal('{}', 'other')]) {
      assert.equal((await send({ request })).statusCode, 400, request);
    }
    const json = { method: 'POST', url: '/oauth/consent', payload: { request: sealed, answer: 'allow' } } as const;
    const asJson = await core.app.inject({
      ...json,
      headers: { cookie: browser.cookie, 'sec-fetch-site': 'same-origin' },
    });
    assert.equal(asJson.statusCode, 400);
    await core.clock.advance(10 * 60_000 + 1);
    assert.equal((await send({ request: sealed })).statusCode, 400, 'too old');
    assert.equal(await codes(), before);
  });

  it('an application removed while the page was open gets nothing', async () => {
    const gone = await register(oauthOf(core.core));
    const sealed = sealedIn((await open(asking({ client_id: gone.client_id }))).body);
    await removeClient(oauthOf(core.core), null, gone.client_id);
    assert.equal((await browser.post('/oauth/consent', { request: sealed, answer: 'allow' })).statusCode, 400);
  });

  it('an answer that is neither yes nor no is no', async () => {
    const sealed = sealedIn((await open()).body);
    const left = await browser.post('/oauth/consent', { request: sealed });
    assert.equal(paramsOf(left).get('error'), 'access_denied');
  });

  it('a password changed elsewhere ends the session, and with it the form', async () => {
    const theirs = new Browser(core, await signedIn(core, (await core.addAccount('third')).account, 'tom'));
    const sealed = sealedIn((await open(asking(), theirs)).body);
    const who = await sessionHolder(core.core, theirs.cookie?.split('=')[1] ?? '');
    assert.ok(who);
    await changePassword(core.core, who, { old: PASSWORD, password: `${PASSWORD} again`, address: '127.0.0.1' });
    assert.equal((await theirs.post('/oauth/consent', { request: sealed, answer: 'allow' })).statusCode, 400);
  });
});
