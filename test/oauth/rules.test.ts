import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { guardedIds, operations } from '../../src/contract/index.ts';
import { authenticate } from '../../src/core/accounts/authenticate.ts';
import { furnish, inputsAbout, requestOf } from '../support/fixtures.ts';
import { hashToken } from '../../src/core/accounts/tokens.ts';
import { giveTokens } from '../../src/oauth/grants.ts';
import { countFailure, secretsOf } from '../../src/oauth/guard.ts';
import { disconnect } from '../../src/oauth/revoke.ts';
import { findToken } from '../../src/oauth/table.ts';
import { oauthOf, PUBLIC_URL, startCore, type TestCore } from '../support/core.ts';
import {
  Browser,
  connect,
  type Fields,
  formText,
  type Given,
  opens,
  paramsOf,
  pkcePair,
  post,
  REDIRECT,
  refresh,
  register,
  type Registered,
  signedIn,
} from './support/flow.ts';

const DAY_MS = 86_400_000;
const PARALLEL = 100;

let core: TestCore;
let browser: Browser;
let client: Registered;
before(async () => {
  core = await startCore();
  browser = new Browser(core, await signedIn(core, core.own.account, 'ann'));
});
after(() => core.close());
beforeEach(async () => {
  client = await register(oauthOf(core.core));
});

const { verifier, challenge } = pkcePair();
const S256 = { code_challenge: challenge, code_challenge_method: 'S256' };

function asking(more: Fields = {}): Fields {
  return {
    client_id: client.client_id,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'write',
    ...S256,
    ...more,
  };
}

async function code(more: Fields = {}): Promise<string> {
  const found = (await browser.consent(asking(more))).get('code');
  assert.ok(found);
  return found;
}

function exchange(of: string, more: Fields = {}) {
  const fields = { grant_type: 'authorization_code', code: of, code_verifier: verifier, redirect_uri: REDIRECT };
  return post(core, '/oauth/token', { ...client, ...fields, ...more });
}

async function errorOf(answer: ReturnType<typeof post>): Promise<[number, string]> {
  const { statusCode, body } = await answer;
  return [statusCode, JSON.parse(body).error];
}

/** Where an authorization request ends: at the application with an error, or on a page of ours. */
async function refusedRequest(fields: Fields): Promise<string> {
  const answer = await browser.get(`/oauth/authorize?${formText(fields)}`);
  if (answer.statusCode !== 303) return `page ${answer.statusCode}`;
  assert.ok(String(answer.headers.location).startsWith(`${REDIRECT}?`));
  assert.equal(paramsOf(answer).get('iss'), PUBLIC_URL);
  return String(paramsOf(answer).get('error'));
}

describe('S12: an application that may only read', () => {
  it('every writing operation: 401, and nothing changes', async () => {
    const inputs = inputsAbout(await furnish(core, core.own));
    const { access_token: token } = await connect(core, browser, client, { scope: 'read' });
    const before = await core.stored();
    const writes = guardedIds.filter((id) => operations[id].scope !== 'read');
    for (const id of writes) {
      const [method, path, options] = requestOf(id, inputs[id]);
      const { error_code, error_msg } = await core.request(method, path, { ...options, token });
      assert.deepEqual([error_code, error_msg], [401, 'Not authorized for this action'], id);
    }
    assert.equal(await core.stored(), before);
    assert.ok(writes.length > 50);
    assert.ok(await opens(core, token));
  });
});

describe('S16: codes', () => {
  it('a confidential application proves itself wherever it calls: without its secret it is nobody', async () => {
    client = await register(oauthOf(core.core), { kind: 'confidential' });
    const { client_id } = client;
    const given = await connect(core, browser, client);
    for (const client_secret of [undefined, '']) {
      const nobody = { client_id, client_secret };
      const unproved = { ...nobody, grant_type: 'refresh_token', refresh_token: given.refresh_token };
      assert.deepEqual(await errorOf(post(core, '/oauth/token', unproved)), [401, 'invalid_client']);
      assert.deepEqual(await errorOf(exchange(await code(), nobody)), [401, 'invalid_client']);
      const back = post(core, '/oauth/revoke', { ...nobody, token: given.access_token });
      assert.deepEqual(await errorOf(back), [401, 'invalid_client']);
    }
    const body = { client_id, grant_type: 'refresh_token', refresh_token: given.refresh_token };
    assert.equal((await core.request('POST', '/oauth/authorizations', { token: null, body })).error_code, 401);
    const back = { client_id, token: given.access_token };
    assert.equal((await core.request('POST', '/oauth/revoke', { token: null, body: back })).error_code, 401);
    assert.ok(await opens(core, given.access_token));
    assert.equal((await refresh(core, client, given.refresh_token)).statusCode, 200);
  });

  it('a code that comes twice is refused, and ends what it brought', async () => {
    const found = await code();
    const given = (await exchange(found)).json<Given>();
    assert.ok(await opens(core, given.access_token));
    assert.deepEqual(await errorOf(exchange(found)), [400, 'invalid_grant']);
    assert.equal(await opens(core, given.access_token), false);
    assert.deepEqual(await errorOf(refresh(core, client, given.refresh_token)), [400, 'invalid_grant']);
  });

  it('of many exchanges at once at most one brings tokens, and those are ended', async () => {
    const found = await code();
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(found)));
    const given = answers.filter(({ statusCode }) => statusCode === 200);
    assert.ok(given.length <= 1);
    for (const one of given) assert.equal(await opens(core, one.json<Given>().access_token), false);
  });

  it('lives for a minute', async () => {
    const [early, late] = [await code(), await code()];
    await core.clock.advance(59_000);
    assert.equal((await exchange(early)).statusCode, 200);
    await core.clock.advance(1_000);
    assert.deepEqual(await errorOf(exchange(late)), [400, 'invalid_grant']);
  });

  it('is bound to its client, its redirect URI and its verifier, and a wrong verifier costs it', async () => {
    const other = await register(oauthOf(core.core));
    const found = await code();
    assert.deepEqual(await errorOf(exchange(found, other as unknown as Fields)), [400, 'invalid_grant']);
    assert.deepEqual(await errorOf(exchange(found, { code_verifier: pkcePair().verifier })), [400, 'invalid_grant']);
    assert.deepEqual(await errorOf(exchange(found)), [400, 'invalid_grant']);
    const elsewhere = await exchange(await code(), { redirect_uri: `${REDIRECT}/` });
    assert.equal(elsewhere.statusCode, 400);
    for (const code_verifier of [undefined, '', 'short', 'x'.repeat(129)]) {
      assert.equal((await exchange(await code(), { code_verifier })).statusCode, 400);
    }
  });

  it('`plain`, a method left out, a challenge that is none: refused', async () => {
    const wrong: Fields[] = [
      { code_challenge_method: 'plain' },
      { code_challenge_method: undefined },
      { code_challenge_method: 's256' },
      { code_challenge: 'short' },
      { code_challenge: `${challenge}=` },
      { code_challenge: undefined },
      { code_challenge: undefined, code_challenge_method: undefined },
    ];
    for (const fields of wrong) {
      assert.equal(await refusedRequest(asking(fields)), 'invalid_request', JSON.stringify(fields));
    }
  });

  it('a confidential client may do without a challenge; then a verifier is refused, and for /mcp it may not', async () => {
    client = await register(oauthOf(core.core), { kind: 'confidential' });
    const none = { code_challenge: undefined, code_challenge_method: undefined };
    assert.equal((await exchange(await code(none), { code_verifier: undefined })).statusCode, 200);
    assert.deepEqual(await errorOf(exchange(await code(none))), [400, 'invalid_grant']);
    assert.deepEqual(await errorOf(exchange(await code(), { code_verifier: undefined })), [400, 'invalid_grant']);
    const forMcp = { ...none, resource: `${PUBLIC_URL}/mcp` };
    assert.equal(await refusedRequest(asking(forMcp)), 'invalid_request');
  });

  it('nothing but codes: other flows, response types and grants are refused', async () => {
    assert.equal(await refusedRequest(asking({ response_type: 'token' })), 'unsupported_response_type');
    assert.equal(await refusedRequest(asking({ response_type: 'code id_token' })), 'unsupported_response_type');
    assert.equal(await refusedRequest(asking({ response_mode: 'fragment' })), 'invalid_request');
    assert.equal(await refusedRequest(asking({ request: 'x' })), 'request_not_supported');
    assert.equal(await refusedRequest(asking({ scope: 'admin' })), 'invalid_scope');
    const reader = await register(oauthOf(core.core), { scope: 'read' });
    const more = asking({ client_id: reader.client_id, scope: 'read write' });
    assert.equal(await refusedRequest(more), 'invalid_scope', 'more than it was registered for');
    for (const grant_type of ['password', 'client_credentials', 'implicit', 'x', '']) {
      const answer = await post(core, '/oauth/token', { ...client, grant_type, username: 'ann', password: 'x' });
      assert.equal(answer.statusCode, 400, answer.body);
    }
  });

  it('an unknown application or address is told on a page of ours and sent nowhere', async () => {
    for (const fields of [
      { client_id: 'app_unknown' },
      { client_id: undefined },
      { redirect_uri: `${REDIRECT}/` },
      { redirect_uri: 'https://evil.example/' },
      { redirect_uri: 'javascript:alert(1)' },
    ])
      assert.equal(await refusedRequest(asking(fields)), 'page 400', JSON.stringify(fields));
    const twice = await browser.get(`/oauth/authorize?${formText(asking())}&redirect_uri=https://evil.example/`);
    assert.equal(twice.statusCode, 400);
    const state = await browser.get(`/oauth/authorize?${formText(asking({ state: 'a' }))}&state=b`);
    assert.equal(paramsOf(state).get('error'), 'invalid_request');
  });

  it('a client that names no response type and sends JSON without a redirect URI is served', async () => {
    client = await register(oauthOf(core.core), { kind: 'confidential' });
    const asked = { response_type: undefined, code_challenge: undefined, code_challenge_method: undefined };
    const body = { ...client, grant_type: 'authorization_code', code: await code(asked) };
    const given = await core.request('POST', '/oauth/authorizations', { token: null, body });
    assert.equal(given.error_code, 200, given.error_msg);
    const { access_token, refresh_token } = given.data as unknown as Given;
    assert.ok(await opens(core, access_token));
    const again = { ...client, grant_type: 'refresh_token', refresh_token };
    assert.equal((await core.request('POST', '/oauth/authorizations', { token: null, body: again })).error_code, 200);
  });

  it('an exchange may leave the redirect URI out where only one is registered; a wrong one is refused', async () => {
    const missing = { redirect_uri: undefined };
    assert.equal((await exchange(await code(), missing)).statusCode, 200);
    const wrong = { redirect_uri: 'https://other.example/callback' };
    assert.deepEqual(await errorOf(exchange(await code(), wrong)), [400, 'invalid_request']);
    client = await register(oauthOf(core.core), { redirectUris: [REDIRECT, `${REDIRECT}/two`] });
    const { statusCode, body } = await exchange(await code(), missing);
    assert.equal(statusCode, 400);
    assert.match(body, /redirect_uri: is required/);
  });

  it('a refused exchange says which field is missing', async () => {
    const bare = { ...client, grant_type: 'authorization_code' };
    const rows: [Fields, RegExp][] = [
      [bare, /"error_description":"code: is required/],
      [{ ...bare, grant_type: 'refresh_token' }, /"error_description":"refresh_token: is required/],
      [{ ...bare, grant_type: undefined }, /"error_description":"grant_type: is required/],
      [{ ...bare, code: await code(), redirect_uri: REDIRECT }, /"error_description":"code_verifier: is required/],
      [{ grant_type: 'authorization_code', code: 'x' }, /"error_description":"client_id: is required/],
    ];
    for (const [fields, text] of rows) assert.match((await post(core, '/oauth/token', fields)).body, text);
  });

  it('a redirect URI left out means the only one there is, and need not be repeated', async () => {
    const found = await code({ redirect_uri: undefined });
    assert.equal((await exchange(found, { redirect_uri: undefined })).statusCode, 200);
    client = await register(oauthOf(core.core), { redirectUris: [REDIRECT, 'https://app.example/other'] });
    assert.equal(await refusedRequest(asking({ redirect_uri: undefined })), 'page 400');
  });

  it('fields that stand there twice, two ways of proving oneself, another type of body: refused', async () => {
    const body = `${formText({ ...client, grant_type: 'refresh_token' })}&refresh_token=a&refresh_token=b`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const twice = await core.app.inject({ method: 'POST', url: '/oauth/token', headers, payload: body });
    assert.deepEqual([twice.statusCode, twice.json().error], [400, 'invalid_request']);
    const json = { method: 'POST', url: '/oauth/token', payload: { ...client } } as const;
    assert.equal((await core.app.inject(json)).json().error, 'invalid_request');
    const { client_id, client_secret } = await register(oauthOf(core.core), { kind: 'confidential' });
    const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
    const both = await post(core, '/oauth/revoke', { client_secret, token: 'x' }, { authorization });
    assert.equal(both.json().error, 'invalid_request');
    assert.equal((await post(core, '/oauth/revoke', { token: 'x' }, { authorization })).statusCode, 200);
    const wrong = await post(core, '/oauth/revoke', { token: 'x' }, { authorization: 'Basic eDp5' });
    assert.deepEqual([wrong.statusCode, wrong.headers['www-authenticate']], [401, 'Basic realm="stayd"']);
  });
});

describe('S17: refresh tokens', () => {
  it('each is good once; one that comes again ends the whole family', async () => {
    const first = await connect(core, browser, client);
    const second = (await refresh(core, client, first.refresh_token)).json<Given>();
    const third = (await refresh(core, client, second.refresh_token)).json<Given>();
    assert.deepEqual(await errorOf(refresh(core, client, first.refresh_token)), [400, 'invalid_grant']);
    for (const { access_token } of [first, second, third]) assert.equal(await opens(core, access_token), false);
    assert.deepEqual(await errorOf(refresh(core, client, third.refresh_token)), [400, 'invalid_grant']);
  });

  it('one that comes again within 10 s brings tokens of the same family, while none that it brought was used', async () => {
    const first = await connect(core, browser, client);
    const lost = (await refresh(core, client, first.refresh_token)).json<Given>();
    await core.clock.advance(9_000);
    const again = (await refresh(core, client, first.refresh_token)).json<Given>();
    assert.ok((await opens(core, lost.access_token)) && (await opens(core, again.access_token)));
    const next = (await refresh(core, client, again.refresh_token)).json<Given>();
    assert.ok(await opens(core, next.access_token));
    assert.deepEqual(await errorOf(refresh(core, client, first.refresh_token)), [400, 'invalid_grant']);
    for (const { access_token } of [first, lost, again, next]) assert.equal(await opens(core, access_token), false);
  });

  it('one that comes again later than that ends the family, though nothing it brought was used', async () => {
    const first = await connect(core, browser, client);
    const second = (await refresh(core, client, first.refresh_token)).json<Given>();
    await core.clock.advance(10_001);
    assert.deepEqual(await errorOf(refresh(core, client, first.refresh_token)), [400, 'invalid_grant']);
    assert.equal(await opens(core, second.access_token), false);
  });

  it(`${PARALLEL} at once with one token: one family, which ends as one`, async () => {
    const given = await connect(core, browser, client);
    const answers = await Promise.all(
      Array.from({ length: PARALLEL }, () => refresh(core, client, given.refresh_token)),
    );
    assert.ok(answers.every(({ statusCode }) => statusCode === 200));
    const won = answers.map((answer) => answer.json<Given>());
    await core.clock.advance(10_001);
    assert.deepEqual(await errorOf(refresh(core, client, given.refresh_token)), [400, 'invalid_grant']);
    for (const { access_token } of [given, ...won]) assert.equal(await opens(core, access_token), false);
  });

  it('an access token brings no tokens, and a refresh token opens no door', async () => {
    const { access_token, refresh_token } = await connect(core, browser, client);
    assert.deepEqual(await errorOf(refresh(core, client, access_token)), [400, 'invalid_grant']);
    assert.equal(await opens(core, refresh_token), false);
    assert.ok(await opens(core, access_token));
    assert.equal((await refresh(core, client, refresh_token)).statusCode, 200);
  });

  it('what ends, or is closed, between the look and the giving brings no tokens', async () => {
    const oauth = oauthOf(core.core);
    const { refresh_token } = await connect(core, browser, client);
    const family = await findToken(core.core.store.db, hashToken(refresh_token));
    assert.ok(family);
    const give = () => giveTokens(oauth, family, { scope: 'read', audience: ['v3'], spent: family.hash });
    const guarded = secretsOf(client.client_id);
    for (let i = 0; i < 10; i += 1) await countFailure(core.core.store.db, guarded, core.clock.now());
    await assert.rejects(countFailure(core.core.store.db, guarded, core.clock.now()), { status: 429 });
    await assert.rejects(give(), { status: 429 });
    await core.clock.advance(600_000);
    await disconnect(oauth, { account: core.own.account, operator: null }, client.client_id);
    await assert.rejects(give(), { error: 'invalid_grant' });
  });

  it('another client’s is unknown, and stays good', async () => {
    const given = await connect(core, browser, client);
    const other = await register(oauthOf(core.core));
    assert.deepEqual(await errorOf(refresh(core, other, given.refresh_token)), [400, 'invalid_grant']);
    assert.equal((await refresh(core, client, given.refresh_token)).statusCode, 200);
  });

  it('an access token lives for 7 days, what was allowed for a year, however often it is refreshed', async () => {
    let given = await connect(core, browser, client);
    const first = given.access_token;
    await core.clock.advance(7 * DAY_MS - 1_000);
    assert.ok(await opens(core, first));
    await core.clock.advance(1_000);
    assert.equal(await opens(core, first), false);
    given = (await refresh(core, client, given.refresh_token)).json<Given>();
    await core.clock.advance(357 * DAY_MS);
    given = (await refresh(core, client, given.refresh_token)).json<Given>();
    await core.clock.advance(DAY_MS);
    assert.deepEqual(await errorOf(refresh(core, client, given.refresh_token)), [400, 'invalid_grant']);
    // The clock has gone on for all; the session of the browser is over.
    browser = new Browser(core, await signedIn(core, core.own.account, 'ann'));
  });

  it('can bring less than was allowed, and never more', async () => {
    const given = await connect(core, browser, client, { scope: 'write' });
    const less = (await refresh(core, client, given.refresh_token, { scope: 'read' })).json<Given>();
    assert.equal(less.scope, 'read');
    const write = await core.request('POST', '/properties', { token: less.access_token, body: { name: 'Less' } });
    assert.equal(write.error_code, 401);
    assert.equal((await refresh(core, client, less.refresh_token)).json<Given>().scope, 'read write');
    const reads = await connect(core, browser, client, { scope: 'read' });
    const more = refresh(core, client, reads.refresh_token, { scope: 'write' });
    assert.deepEqual(await errorOf(more), [400, 'invalid_scope']);
  });
});

describe('S18: who a token is for', () => {
  const audienceOf = async (token: string) => {
    const doors = ['v3', 'mcp', 'management'] as const;
    const open = await Promise.all(
      doors.map((door) =>
        authenticate(core.core.store.db, token, core.clock.now(), door).then(
          () => [door],
          () => [],
        ),
      ),
    );
    return open.flat();
  };

  it('without a resource for v3, with one for that, and never for management', async () => {
    const rows: [string | undefined, string[]][] = [
      [undefined, ['v3']],
      [PUBLIC_URL, ['v3']],
      [`${PUBLIC_URL}/v3`, ['v3']],
      [`${PUBLIC_URL}/mcp`, ['mcp']],
      [`${PUBLIC_URL}/mcp/`, ['mcp']],
      [`${PUBLIC_URL}/v3/mcp`, ['mcp']],
    ];
    for (const [resource, doors] of rows) {
      const { access_token } = await connect(core, browser, client, resource === undefined ? {} : { resource });
      assert.deepEqual(await audienceOf(access_token), doors, resource);
    }
    assert.deepEqual(await audienceOf(core.own.token), ['v3', 'mcp', 'management'], 'a person’s own opens all');
    const { access_token } = await connect(core, browser, client, { resource: `${PUBLIC_URL}/mcp` });
    assert.equal(await opens(core, access_token), false);
  });

  it('another host, another path, a door the person was not asked for: invalid_target', async () => {
    for (const resource of ['https://evil.example/mcp', `${PUBLIC_URL}/other`, `${PUBLIC_URL}.evil/mcp`, 'x', ''])
      assert.equal(await refusedRequest(asking({ resource })), 'invalid_target', resource);
    const given = await connect(core, browser, client);
    const wider = refresh(core, client, given.refresh_token, { resource: `${PUBLIC_URL}/mcp` });
    assert.deepEqual(await errorOf(wider), [400, 'invalid_target']);
  });

  it('several at once can be asked for, and taken one by one', async () => {
    const text = formText(asking({ resource: `${PUBLIC_URL}/mcp` }));
    const page = await browser.get(`/oauth/authorize?${text}&resource=${encodeURIComponent(`${PUBLIC_URL}/v3`)}`);
    const sealed = /name="request" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    const left = await browser.post('/oauth/consent', { request: sealed, answer: 'allow' });
    const given = (await exchange(paramsOf(left).get('code') ?? '')).json<Given>();
    assert.deepEqual(await audienceOf(given.access_token), ['v3', 'mcp']);
    const one = await refresh(core, client, given.refresh_token, { resource: `${PUBLIC_URL}/v3` });
    assert.deepEqual(await audienceOf(one.json<Given>().access_token), ['v3']);
  });

  it('a sub-account’s application sees what the sub-account sees', async () => {
    const { property_id } = await core.call('createProperty', { title: 'Hidden' });
    const token = await core.addSubAccount(core.own.account, []);
    const { operator } = await authenticate(core.core.store.db, token, core.clock.now());
    const theirs = new Browser(core, await signedIn(core, core.own.account, 'sub', operator.id));
    const { access_token } = await connect(core, theirs, client);
    const { data } = await core.request('GET', `/properties?id=${property_id}`, { token: access_token });
    assert.equal(data.total, 0);
  });
});

describe('S19: guessing', () => {
  const guess = (client_id: string) => refresh(core, { client_id, client_secret: 'stayd_ocs_wrong' }, 'x');

  it('the 11th wrong secret in ten minutes is 429, and so is the right one until they are over', async () => {
    client = await register(oauthOf(core.core), { kind: 'confidential' });
    const given = await connect(core, browser, client);
    for (let i = 0; i < 10; i += 1) {
      assert.deepEqual(await errorOf(guess(client.client_id)), [401, 'invalid_client'], `guess ${i + 1}`);
    }
    const eleventh = await guess(client.client_id);
    assert.deepEqual([eleventh.statusCode, eleventh.json().error_description], [429, 'Too many attempts.']);
    assert.ok(Number(eleventh.headers['retry-after']) > 0 && Number(eleventh.headers['retry-after']) <= 600);
    assert.equal((await refresh(core, client, given.refresh_token)).statusCode, 429);
    assert.equal((await refresh(core, client, 'stayd_ort_junk')).statusCode, 429);
    assert.equal((await post(core, '/oauth/revoke', { ...client, token: given.access_token })).statusCode, 429);
    const enveloped = await core.request('POST', '/oauth/authorizations', {
      token: null,
      body: { ...client, grant_type: 'refresh_token', refresh_token: given.refresh_token },
    });
    assert.deepEqual([enveloped.http, enveloped.error_code, enveloped.error_msg], [200, 429, 'Too many attempts.']);
    assert.ok(enveloped.headers['retry-after']);
    await core.clock.advance(600_000);
    assert.equal((await refresh(core, client, given.refresh_token)).statusCode, 200);
  });

  it('wrong verifiers count like wrong secrets', async () => {
    for (let i = 0; i < 10; i += 1) {
      const answer = await exchange(await code(), { code_verifier: pkcePair().verifier });
      assert.equal(answer.json().error, 'invalid_grant');
    }
    const found = await code();
    assert.equal((await exchange(found, { code_verifier: pkcePair().verifier })).statusCode, 429);
    assert.equal((await exchange(await code())).statusCode, 429);
    await core.clock.advance(600_000);
  });

  it('the person of one account who guesses verifiers shuts themselves out, and nobody else', async () => {
    const stranger = await core.addAccount('stranger');
    const theirs = new Browser(core, await signedIn(core, stranger.account, 'mallory'));
    const given = await connect(core, browser, client);
    const guessed = async (more: Fields = { code_verifier: pkcePair().verifier }) => {
      const found = (await theirs.consent(asking())).get('code') ?? '';
      return (await exchange(found, more)).statusCode;
    };
    for (let i = 0; i < 10; i += 1) assert.equal(await guessed(), 400);
    assert.deepEqual([await guessed(), await guessed({})], [429, 429]);
    const next = await refresh(core, client, given.refresh_token);
    assert.equal(next.statusCode, 200);
    assert.equal((await exchange(await code())).statusCode, 200);
    await core.clock.advance(600_000);
    assert.equal(await guessed({}), 200);
  });

  it('an outsider with junk codes, refresh tokens and secrets cannot lock a public client out', async () => {
    const given = await connect(core, browser, client);
    for (let i = 0; i < 30; i += 1) {
      await exchange(`stayd_oac_junk${i}`);
      await refresh(core, client, `stayd_ort_junk${i}`);
      await guess(client.client_id);
    }
    assert.equal((await refresh(core, client, given.refresh_token)).statusCode, 200);
  });

  it('50 guesses at once: ten are answered as such', async () => {
    client = await register(oauthOf(core.core), { kind: 'confidential' });
    const answers = await Promise.all(Array.from({ length: 50 }, () => guess(client.client_id)));
    assert.equal(answers.filter(({ statusCode }) => statusCode === 401).length, 10);
    assert.equal(answers.filter(({ statusCode }) => statusCode === 429).length, 40);
  });
});

describe('the operations of v3', () => {
  const ask = (path: string, body: object) => core.request('POST', path, { token: null, body });

  it('exchange and revoke in the envelope, each token by itself', async () => {
    client = await register(oauthOf(core.core), { kind: 'confidential' });
    const exchanged = await ask('/oauth/authorizations', {
      ...client,
      grant_type: 'authorization_code',
      code: await code(),
      code_verifier: verifier,
      redirect_uri: REDIRECT,
    });
    assert.equal(exchanged.error_code, 200, exchanged.text);
    const { access_token, refresh_token, expires_in } = exchanged.data;
    assert.equal(expires_in, 604_800);
    assert.deepEqual(Object.keys(exchanged.data), ['access_token', 'refresh_token', 'expires_in']);
    assert.equal((await ask('/oauth/revoke', { ...client, token: refresh_token })).error_code, 200);
    assert.ok(await opens(core, access_token), 'the access token is another token');
    assert.equal((await ask('/oauth/revoke', { ...client, token: access_token })).error_code, 200);
    assert.equal(await opens(core, access_token), false);
    assert.equal((await ask('/oauth/revoke', { ...client, token: access_token })).error_code, 200, 'twice is once');
  });

  it('codes: 401 for what a person or an owner must mend, 422 naming a field that is missing', async () => {
    const rows: [object, number, RegExp][] = [
      [{ client_id: 'app_x', grant_type: 'refresh_token', refresh_token: 'x' }, 401, /client_id or client_secret/],
      [{ ...client, grant_type: 'refresh_token', refresh_token: 'x' }, 401, /refresh token/],
      [{ ...client, grant_type: 'authorization_code', code: 'x' }, 401, /code/],
      [{ ...client, grant_type: 'authorization_code' }, 422, /^code: /],
      [{ ...client, grant_type: 'refresh_token' }, 422, /^refresh_token: /],
      [{ ...client, grant_type: 'password' }, 422, /^grant_type: /],
      [{ grant_type: 'refresh_token', refresh_token: 'x' }, 422, /^client_id: /],
    ];
    for (const [body, error_code, message] of rows) {
      const answer = await ask('/oauth/authorizations', body);
      assert.equal(answer.error_code, error_code, answer.text);
      assert.match(answer.error_msg, message);
    }
    assert.equal((await ask('/oauth/revoke', { ...client })).error_code, 422);
    const { access_token } = await connect(core, browser, client);
    const other = await register(oauthOf(core.core));
    assert.equal((await ask('/oauth/revoke', { ...other, token: access_token })).error_code, 200);
    assert.ok(await opens(core, access_token), 'another application’s stays');
  });
});

describe('giving back by RFC 7009', () => {
  it('a refresh token takes everything with it; an unknown one is answered 200', async () => {
    const given = await connect(core, browser, client);
    const next = (await refresh(core, client, given.refresh_token)).json<Given>();
    const revoked = await post(core, '/oauth/revoke', { ...client, token: next.refresh_token });
    assert.deepEqual([revoked.statusCode, revoked.body], [200, '']);
    assert.equal(await opens(core, given.access_token), false);
    assert.equal(await opens(core, next.access_token), false);
    assert.equal((await post(core, '/oauth/revoke', { ...client, token: 'unknown' })).statusCode, 200);
    assert.deepEqual(await errorOf(post(core, '/oauth/revoke', { ...client })), [400, 'invalid_request']);
  });
});

describe('S7, S8: what a stolen database and a log hold', () => {
  it('no token, no code, no secret', async () => {
    client = await register(oauthOf(core.core), { kind: 'confidential' });
    const found = await code();
    const given = (await exchange(found)).json<Given>();
    const stored = await core.stored();
    for (const secret of [found, given.access_token, given.refresh_token, client.client_secret ?? '', challenge]) {
      const isThere = stored.includes(secret);
      assert.equal(isThere, secret === challenge, secret);
    }
  });
});
