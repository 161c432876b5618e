import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { oauthOf, startCore, type TestCore } from '../support/core.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import {
  Browser,
  connect,
  type Given,
  opens,
  pkcePair,
  post,
  REDIRECT,
  refresh,
  register,
  type Registered,
  signedIn,
} from './support/flow.ts';

const EXCHANGES = [2, 2, 2, 20];
const REFRESHES = [2, 100];
const GUESSES = 50;

const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work));

/** On SQLite one request is over before the next is read; here they are really under way at once. */
describeOnPostgres('many at once, on PostgreSQL', () => {
  let server: TestPostgres;
  let core: TestCore;
  let browser: Browser;
  let client: Registered;
  before(async () => {
    server = await startPostgres();
    core = await startCore({ kind: 'postgres', url: await server.freshDatabase(), schema: 'core' });
    browser = new Browser(core, await signedIn(core, core.own.account, 'ann'));
    client = await register(oauthOf(core.core));
    // Connections that are there already, so that nobody is ahead of the others by waiting for one.
    await times(Math.max(...EXCHANGES), () => opens(core, 'stayd_oat_unknown'));
  });
  after(async () => {
    await core.close();
    await server.stop();
  });

  async function requireOver(given: readonly Given[]): Promise<void> {
    for (const { access_token, refresh_token } of given) {
      assert.equal(await opens(core, access_token), false);
      assert.equal((await refresh(core, client, refresh_token)).statusCode, 400);
    }
  }

  for (const count of EXCHANGES) {
    it(`S16: ${count} exchanges of one code: at most one brings tokens, and those are ended`, async () => {
      const { verifier, challenge } = pkcePair();
      const asked = { client_id: client.client_id, redirect_uri: REDIRECT, response_type: 'code' };
      const S256 = { code_challenge: challenge, code_challenge_method: 'S256' };
      const code = (await browser.consent({ ...asked, ...S256 })).get('code') ?? '';
      const fields = { ...client, grant_type: 'authorization_code', code_verifier: verifier, redirect_uri: REDIRECT };
      const answers = await times(count, () => post(core, '/oauth/token', { ...fields, code }));
      const won = answers.filter(({ statusCode }) => statusCode === 200);
      assert.ok(won.length <= 1, `${won.length} brought tokens`);
      assert.ok(answers.every(({ statusCode }) => [200, 400].includes(statusCode)));
      await requireOver(won.map((answer) => answer.json<Given>()));
    });
  }

  for (const count of REFRESHES) {
    it(`S17: ${count} refreshes with one token: one family, which ends as one`, async () => {
      const given = await connect(core, browser, client);
      const answers = await times(count, () => refresh(core, client, given.refresh_token));
      assert.ok(answers.every(({ statusCode }) => statusCode === 200));
      await core.clock.advance(10_001);
      assert.equal((await refresh(core, client, given.refresh_token)).statusCode, 400);
      await requireOver([given, ...answers.map((answer) => answer.json<Given>())]);
    });
  }

  it(`S19: ${GUESSES} wrong secrets: ten are answered as such`, async () => {
    const closed = await register(oauthOf(core.core), { kind: 'confidential' });
    const answers = await times(GUESSES, () => refresh(core, { ...closed, client_secret: 'stayd_ocs_wrong' }, 'x'));
    const codes = answers.map(({ statusCode }) => statusCode);
    assert.equal(codes.filter((code) => code === 401).length, 10);
    assert.equal(codes.filter((code) => code === 429).length, GUESSES - 10);
  });
});
