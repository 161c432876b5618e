import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as oauth from 'oauth4webapi';
import { runOne } from '../cli/support/runMany.ts';
import { call, rowsOf, startTestService, type TestService, until } from '../support/service.ts';

const LOGIN = { login: 'ada', password: 'correct horse battery' };
const REDIRECT = 'http://127.0.0.1:9/callback';
const PARALLEL = 50;
/** The service is reached by plain HTTP on this machine. */
const http = { [oauth.allowInsecureRequests]: true };

describe('applications at a running service', () => {
  let service: TestService;
  let cookie: string;
  before(async () => {
    service = await startTestService({ STAYD_OUTBOUND_ALLOW: '127.0.0.0/8' });
    await service.settled();
    const secret = await service.service.firstSecret();
    const headers = { 'sec-fetch-site': 'same-origin' };
    const signedIn = await call(service, 'POST', '/portal/invites/accept', {
      token: null,
      headers,
      body: { secret, ...LOGIN },
    });
    cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  });
  after(() => service.remove());

  const run = (...words: string[]) => runOne(words, { STAYD_DATA_DIR: service.dataDir });
  const stayd = async (...words: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(...words);
    assert.equal(code, 0, stderr);
    return stdout;
  };

  interface Added {
    client: oauth.Client;
    auth: oauth.ClientAuth;
  }
  const authOf = ({ client_secret }: { client_secret?: string }) =>
    client_secret === undefined ? oauth.None() : oauth.ClientSecretBasic(client_secret);

  async function addClient(kind: 'public' | 'confidential', more: object = {}): Promise<Added> {
    const draft = { name: 'Helper', kind, redirect_uris: [REDIRECT], ...more };
    const client = await service.portal('POST', '/portal/oauth/clients', draft);
    return { client, auth: authOf(client) };
  }

  async function discover(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(service.url);
    const found = await oauth.discoveryRequest(issuer, { ...http, algorithm: 'oauth2' });
    return oauth.processDiscoveryResponse(issuer, found);
  }

  /** What the person does: opens the link, presses the button. @returns where their browser is sent */
  async function allow(link: URL): Promise<URL> {
    const page = await fetch(link, { headers: { cookie } });
    const [, sealed = ''] = /name="request" value="([^"]+)"/.exec(await page.text()) ?? [];
    const left = await fetch(`${service.url}/oauth/consent`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ request: sealed, answer: 'allow' }),
    });
    assert.equal(left.status, 303, await left.text());
    return new URL(left.headers.get('location') ?? '');
  }

  /** The code flow as an independent library does it. */
  async function connect(
    { client, auth }: Added,
    more: Record<string, string> = {},
  ): Promise<oauth.TokenEndpointResponse> {
    const server = await discover();
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const link = new URL(server.authorization_endpoint ?? '');
    const asked = {
      client_id: client.client_id,
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'write',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      ...more,
    };
    for (const [name, value] of Object.entries(asked)) link.searchParams.set(name, value);
    const answered = oauth.validateAuthResponse(server, client, await allow(link), state);
    const answer = await oauth.authorizationCodeGrantRequest(server, client, auth, answered, REDIRECT, verifier, http);
    return oauth.processAuthorizationCodeResponse(server, client, answer);
  }

  const refresh = async ({ client, auth }: Added, token: string) => {
    const server = await discover();
    const answer = await oauth.refreshTokenGrantRequest(server, client, auth, token, http);
    return oauth.processRefreshTokenResponse(server, client, answer);
  };

  const opens = async (token: string): Promise<boolean> => {
    const answer = await call(service, 'GET', '/v3/accounts/me', {
      token: null,
      headers: { authorization: `Bearer ${token}` },
    });
    return answer.json.error_code === 200;
  };

  for (const kind of ['public', 'confidential'] as const) {
    it(`a ${kind} one by an independent library: discovery, code flow, refresh, revoke`, async () => {
      const server = await discover();
      assert.deepEqual(server.code_challenge_methods_supported, ['S256']);
      assert.equal(server.authorization_response_iss_parameter_supported, true);
      assert.equal(server.registration_endpoint, undefined);
      const added = await addClient(kind);
      const given = await connect(added);
      assert.equal(given.expires_in, 604_800);
      assert.ok(await opens(given.access_token));
      const next = await refresh(added, given.refresh_token ?? '');
      assert.ok(await opens(next.access_token));
      const { client, auth } = added;
      const revoked = await oauth.revocationRequest(server, client, auth, next.refresh_token ?? '', http);
      await oauth.processRevocationResponse(revoked);
      assert.equal(await opens(next.access_token), false);
      assert.equal(await opens(given.access_token), false);
    });
  }

  it('the metadata of each door leads to the server (RFC 9728), and registration is off (501)', async () => {
    for (const path of ['/v3', '/mcp', '/v3/mcp']) {
      const resource = new URL(service.url + path);
      const found = await oauth.resourceDiscoveryRequest(resource, http);
      const metadata = await oauth.processResourceDiscoveryResponse(resource, found);
      assert.deepEqual(metadata.authorization_servers, [service.url]);
      assert.deepEqual(metadata.scopes_supported, ['read', 'write']);
    }
    const root = await call(service, 'GET', '/.well-known/oauth-protected-resource', { token: null });
    assert.equal(root.json.resource, `${service.url}/mcp`);
    assert.equal(root.headers.get('access-control-allow-origin'), '*');
    assert.equal((await call(service, 'GET', '/.well-known/oauth-protected-resource/x', { token: null })).http, 404);
    const register = await call(service, 'POST', '/oauth/register', {
      token: null,
      body: { redirect_uris: [REDIRECT] },
    });
    assert.deepEqual([register.http, register.json.error], [501, 'not_implemented']);
  });

  it(`S17: ${PARALLEL} refreshes at once with one token: one family, which ends when it comes again later`, async () => {
    const added = await addClient('public');
    const given = await connect(added);
    const outcomes = await Promise.allSettled(
      Array.from({ length: PARALLEL }, () => refresh(added, given.refresh_token ?? '')),
    );
    const won = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    assert.equal(won.length, PARALLEL);
    // The client goes on with one of them; whoever still has the first token is somebody else.
    const next = await refresh(added, won[0]?.refresh_token ?? '');
    await assert.rejects(refresh(added, given.refresh_token ?? ''));
    for (const { access_token } of [given, ...won, next]) assert.equal(await opens(access_token), false);
  });

  it('what an application holds opens no management door, from which it could make itself a token that stays', async () => {
    const { access_token } = await connect(await addClient('public'));
    for (const [method, path] of [
      ['GET', '/portal/tokens'],
      ['POST', '/portal/tokens'],
      ['GET', '/portal/oauth/clients'],
      ['POST', '/portal/webhooks'],
      ['GET', '/mirror/changes'],
    ] as const) {
      const headers = { authorization: `Bearer ${access_token}` };
      assert.equal((await call(service, method, path, { token: null, headers })).http, 401, path);
    }
  });

  it('commands: add, list, connected, disconnect, remove', async () => {
    const add = ['oauth', 'client', 'add', '--name', 'Helper', '--scope', 'read', '--redirect-uri'];
    const client = JSON.parse(await stayd(...add, REDIRECT, '--json')) as { client_id: string; client_secret?: string };
    const id = client.client_id;
    assert.match(client.client_secret ?? '', /^stayd_ocs_/);
    assert.match(await stayd('oauth', 'client', 'list'), new RegExp(`${id} +Helper +confidential +registered +read `));
    const given = await connect({ client, auth: authOf(client) }, { scope: 'read' });
    assert.match(await stayd('oauth', 'connected', '--account', 'demo'), new RegExp(`${id} +Helper +demo +read +v3 `));
    assert.match(await stayd('oauth', 'disconnect', id, '--account', 'demo'), /^disconnected app_/);
    assert.equal(await opens(given.access_token), false);
    await connect({ client, auth: authOf(client) }, { scope: 'read' });
    assert.match(await stayd('oauth', 'client', 'remove', id), /disconnected from 1 account/);
    const again = await run('oauth', 'client', 'remove', id);
    assert.deepEqual([again.code, /there is no application/.test(again.stderr)], [2, true]);
    const refused = await run(...add, 'http://app.example/');
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /redirect_uris: http:\/\/app\.example\/ must begin with https/);
  });

  it('what applications hold no longer goes while the service runs', async () => {
    const { client } = await addClient('public', { name: 'Came by itself' });
    const old = "origin = 'dynamic', created_at = '2020-01-01T00:00:00.000Z'";
    await service.run(`update core.oauth_clients set ${old} where client_id = '${client.client_id}'`);
    await service.restart();
    const left = `select 1 from core.oauth_clients where client_id = '${client.client_id}'`;
    await until(async () => (await service.rows(left)).length === 0, 'its deletion');
  });

  it('a client of one account meets only its people, and its owner sees no other account’s', async () => {
    const other = await service.portal('POST', '/portal/accounts', {
      name: 'north',
      time_zone: 'UTC',
      currency: 'EUR',
    });
    const { client } = await addClient('public', { account: 'north' });
    const link = `/oauth/authorize?client_id=${client.client_id}&response_type=code&code_challenge_method=S256&code_challenge=${'a'.repeat(43)}`;
    const page = await call(service, 'GET', link, { token: null, headers: { cookie } });
    assert.deepEqual([page.http, page.text.includes('registered for another account')], [400, true]);
    const seen = await call(service, 'GET', '/portal/oauth/clients', { token: service.token });
    assert.ok(!seen.text.includes(client.client_id) && !seen.text.includes(other.account_id));
    const path = `/portal/oauth/clients/${client.client_id}`;
    assert.equal((await call(service, 'DELETE', path, { token: service.token })).http, 403);
  });

  describe('a daemon that reads by OAuth', () => {
    let daemon: TestService | undefined;
    after(() => daemon?.remove());

    it('reads, is told of changes, refreshes by itself, and stops when it is disconnected; what it holds stays, marked', async () => {
      const { property_id } = await service.v3('POST', '/properties', { name: 'House' });
      const added = await addClient('public');
      const { refresh_token } = await connect(added);
      const { client_id } = added.client;
      daemon = await startTestService({
        STAYD_UPSTREAM_URL: service.url,
        STAYD_UPSTREAM_OAUTH_CLIENT_ID: client_id,
        STAYD_UPSTREAM_OAUTH_REFRESH_TOKEN: refresh_token ?? '',
      });
      const there = daemon;
      const status = async () => (await there.portal('GET', '/portal/status')).connections.upstream;
      await until(async () => (await status()).caught_up_age !== null, 'the first read');
      assert.equal((await rowsOf(there, 'select 1 from mirror.properties')).length, 1);

      const booking = { property_id, check_in_date: '2027-03-01', check_out_date: '2027-03-02', guest_name: 'A' };
      const made = { ...booking, rate_amount: 1, commission_amount: 0, received_amount: 0 };
      const { reservation_code } = await service.v3('POST', '/reservations', made);
      const seen = `select seen_by from mirror.changes where key = '${reservation_code}'`;
      await until(async () => (await rowsOf(there, seen)).length === 1, 'the booking');
      assert.equal((await rowsOf(there, seen))[0]?.['seen_by'], 'event');

      // It goes on from its own disk, with the configuration as it was.
      await there.restart();
      await until(async () => (await status()).catch_up_due === null, 'the next read');
      const [kept] = await rowsOf(there, 'select refresh_token, refused from mirror.upstream_tokens');
      assert.equal(kept?.['refused'], null);
      assert.match(String(kept?.['refresh_token']), /^v1\./);

      const ended = `/portal/oauth/connected/${client_id}?account=demo`;
      await service.portal('DELETE', ended);
      await until(async () => (await status()).state === 'paused', 'the pause');
      assert.match((await status()).paused.because, /authorization_revoked/);
      const [withdrawn] = await rowsOf(there, 'select refused, access_token from mirror.upstream_tokens');
      assert.match(String(withdrawn?.['refused']), /authorization_revoked/);
      assert.equal(withdrawn?.['access_token'], null);
      assert.equal((await rowsOf(there, 'select 1 from mirror.stays')).length, 1, 'what it holds stays');

      // Let in again: another refresh token in the configuration, and it reads on.
      const again = await connect(added);
      await there.restart({ STAYD_UPSTREAM_OAUTH_REFRESH_TOKEN: again.refresh_token ?? '' });
      await until(async () => (await status()).state === 'active', 'reading again');
    });
  });
});
