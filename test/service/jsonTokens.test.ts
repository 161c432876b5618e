import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '../support/service.ts';

const REDIRECT = 'http://127.0.0.1:9/callback';
const WEEK_S = 604_800;

interface Tokens {
  access_token: string;
  refresh_token: string;
  expires_in: number;
}
interface Answer {
  status: number;
  error_code: number;
  data?: Tokens;
}

describe('tokens by JSON, of a core that speaks the public dialect', () => {
  let core: TestService;
  let cookie: string;
  let client: { client_id: string; client_secret: string };

  before(async () => {
    core = await startTestService({ STAYD_ROLES: 'core', STAYD_CORE_DIALECT: 'hostex' });
    const secret = await core.service.firstSecret();
    const signedIn = await fetch(`${core.url}/portal/invites/accept`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ secret, login: 'ada', password: 'correct horse battery' }),
    });
    cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const draft = { name: 'Partner', kind: 'confidential', redirect_uris: [REDIRECT] };
    client = await core.portal('POST', '/portal/oauth/clients', draft);
  });
  after(() => core.remove());

  /** As a program of a partner does it. */
  async function send(path: string, body: object): Promise<Answer> {
    const answer = await fetch(`${core.url}/v3/oauth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, ...((await answer.json()) as Omit<Answer, 'status'>) };
  }

  /** The person opens the page that the partner links to, and says yes. */
  async function consent(more: Record<string, string> = {}): Promise<string> {
    const link = new URL(`${core.url}/oauth/authorize`);
    const asked = { client_id: client.client_id, redirect_uri: REDIRECT, response_type: 'code', state: 's-1', ...more };
    for (const [name, value] of Object.entries(asked)) link.searchParams.set(name, value);
    const page = await fetch(link, { headers: { cookie } });
    const [, request = ''] = /name="request" value="([^"]+)"/.exec(await page.text()) ?? [];
    const left = await fetch(`${core.url}/oauth/consent`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ request, answer: 'allow' }),
    });
    const to = new URL(left.headers.get('location') ?? '');
    assert.equal(to.searchParams.get('state'), 's-1');
    return to.searchParams.get('code') ?? '';
  }

  const exchange = (more: object) =>
    send('/authorizations', { client_id: client.client_id, client_secret: client.client_secret, ...more });

  async function connected(): Promise<Tokens> {
    const { data } = await exchange({ grant_type: 'authorization_code', code: await consent() });
    assert.ok(data);
    return data;
  }

  const opens = async (headers: Record<string, string>): Promise<number> => {
    const answer = await fetch(`${core.url}/v3/properties?offset=0&limit=1`, { headers });
    return ((await answer.json()) as Answer).error_code;
  };

  it('a code without a challenge and without the redirect is exchanged, once', async () => {
    const code = await consent();
    const first = await exchange({ grant_type: 'authorization_code', code });
    assert.deepEqual([first.status, first.error_code], [200, 200]);
    const { access_token = '', refresh_token = '', expires_in } = first.data ?? {};
    assert.deepEqual(Object.keys(first.data ?? {}).toSorted(), ['access_token', 'expires_in', 'refresh_token']);
    assert.equal(expires_in, WEEK_S);
    assert.notEqual(refresh_token, '');
    assert.equal(await opens({ 'Hostex-Access-Token': access_token }), 200);
    assert.equal(await opens({ authorization: `Bearer ${access_token}` }), 200);
    const again = await exchange({ grant_type: 'authorization_code', code });
    assert.deepEqual([again.status, again.error_code, again.data], [200, 401, undefined]);
  });

  it('a challenge that was sent is held to', async () => {
    const verifier = randomBytes(32).toString('base64url');
    const challenge = {
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    };
    const without = await exchange({ grant_type: 'authorization_code', code: await consent(challenge) });
    assert.deepEqual([without.status, without.error_code], [200, 401]);
    const proven = { grant_type: 'authorization_code', code: await consent(challenge), code_verifier: verifier };
    assert.equal((await exchange(proven)).error_code, 200);
  });

  it('a refresh brings the next pair; the old refresh token is dead, and ends what came of it', async () => {
    const first = await connected();
    const next = await exchange({ grant_type: 'refresh_token', refresh_token: first.refresh_token });
    assert.equal(next.error_code, 200);
    assert.notEqual(next.data?.refresh_token, first.refresh_token);
    assert.equal(await opens({ 'Hostex-Access-Token': next.data?.access_token ?? '' }), 200);
    const third = await exchange({ grant_type: 'refresh_token', refresh_token: next.data?.refresh_token });
    assert.equal(third.error_code, 200);
    const dead = await exchange({ grant_type: 'refresh_token', refresh_token: first.refresh_token });
    assert.deepEqual([dead.status, dead.error_code], [200, 401]);
    assert.equal(await opens({ 'Hostex-Access-Token': third.data?.access_token ?? '' }), 401);
  });

  it('what is refused is told in the envelope, with HTTP 200', async () => {
    const rows: [object, number][] = [
      [{ grant_type: 'refresh_token', refresh_token: 'never given' }, 401],
      [{ grant_type: 'refresh_token', refresh_token: 'x', client_secret: 'wrong' }, 401],
      [{ grant_type: 'refresh_token', refresh_token: 'x', client_id: 'nobody' }, 401],
      [{ grant_type: 'password' }, 422],
      [{ grant_type: 'refresh_token' }, 422],
      [{}, 422],
    ];
    for (const [body, code] of rows) {
      const { status, error_code } = await exchange(body);
      assert.deepEqual([status, error_code], [200, code], JSON.stringify(body));
    }
  });

  it('what is given back opens nothing any more, each token for itself', async () => {
    const { access_token, refresh_token } = await connected();
    const { client_id, client_secret } = client;
    const back = await send('/revoke', { client_id, client_secret, token: access_token });
    assert.deepEqual([back.status, back.error_code], [200, 200]);
    assert.equal(await opens({ 'Hostex-Access-Token': access_token }), 401);
    const next = await exchange({ grant_type: 'refresh_token', refresh_token });
    assert.equal(next.error_code, 200);
  });
});
