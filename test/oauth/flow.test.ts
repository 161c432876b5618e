import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { oauthOf, PUBLIC_URL, startCore, type TestCore } from '../support/core.ts';
import {
  Browser,
  connect,
  opens,
  pkcePair,
  post,
  REDIRECT,
  refresh,
  register,
  type Registered,
  signedIn,
} from './support/flow.ts';

describe('an application, a person, and what they agree on', () => {
  let core: TestCore;
  let browser: Browser;
  let client: Registered;
  before(async () => {
    core = await startCore();
    client = await register(oauthOf(core.core));
    browser = new Browser(core, await signedIn(core, core.own.account, 'ann'));
  });
  after(() => core.close());

  it('code, tokens, a call, the next tokens', async () => {
    const { verifier, challenge } = pkcePair();
    const answered = await browser.consent({
      client_id: client.client_id,
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'write',
      state: 'a b&c',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    assert.deepEqual([answered.get('state'), answered.get('iss')], ['a b&c', PUBLIC_URL]);
    const exchanged = await post(core, '/oauth/token', {
      client_id: client.client_id,
      grant_type: 'authorization_code',
      code: answered.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: REDIRECT,
    });
    assert.equal(exchanged.statusCode, 200, exchanged.body);
    assert.equal(exchanged.headers['cache-control'], 'no-store');
    const given = exchanged.json();
    assert.deepEqual([given.token_type, given.expires_in, given.scope], ['Bearer', 604_800, 'read write']);
    assert.ok(await opens(core, given.access_token));
    const next = (await refresh(core, client, given.refresh_token)).json();
    assert.ok(await opens(core, next.access_token));
    assert.notEqual(next.refresh_token, given.refresh_token);
  });

  it('connects in one go', async () => {
    const { access_token } = await connect(core, browser, client);
    const made = await core.request('POST', '/properties', { token: access_token, body: { name: 'By OAuth' } });
    assert.equal(made.error_code, 200, made.text);
  });
});
