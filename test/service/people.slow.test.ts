import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { rmSync } from 'node:fs';
import { type Answered, call, dataDirectory, startTestService, type TestService, until } from '../support/service.ts';
import { startProcess } from './support/process.ts';

const PASSWORD = 'correct horse battery';
const JSON_BODY = { 'content-type': 'application/json' };

describe('people at the door', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
    await service.settled();
  });
  after(() => service.remove());

  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(service, method, path, { token: null, headers, ...(body !== undefined && { body }) });
  const cookieOf = (answer: Answered) => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const sameSite = { 'sec-fetch-site': 'same-origin' };
  let session: Record<string, string>;

  it('the secret of the first run opens it once; the cookie is for this host and no script', async () => {
    const secret = await service.service.firstSecret();
    assert.ok(secret);
    assert.equal(await service.service.firstSecret(), undefined, 'shown once');
    const draft = { secret, login: 'ada', password: PASSWORD };
    const accepted = await ask('POST', '/portal/invites/accept', draft);
    assert.equal(accepted.http, 200, accepted.text);
    assert.match(
      accepted.headers.get('set-cookie') ?? '',
      /^stayd_session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/,
    );
    assert.equal(accepted.headers.get('cache-control'), 'no-store');
    assert.equal((await ask('POST', '/portal/invites/accept', draft)).http, 401);
    session = { cookie: cookieOf(accepted) };
    const who = await ask('GET', '/portal/session', undefined, session);
    assert.deepEqual([who.json.account, who.json.operator.kind], ['demo', 'master']);
  });

  it('over https the cookie is secure and bound to the host, also when a proxy says so', async () => {
    const body = { login: 'ada', password: PASSWORD };
    const signedIn = await ask('POST', '/portal/login', body, { 'x-forwarded-proto': 'https' });
    assert.match(signedIn.headers.get('set-cookie') ?? '', /^__Host-stayd_session=[\w-]{43}; .*; Secure$/);
    const plain = cookieOf(signedIn).replace('__Host-', '');
    assert.equal((await ask('GET', '/portal/session', undefined, { cookie: cookieOf(signedIn) })).http, 401);
    assert.equal((await ask('GET', '/portal/session', undefined, { cookie: plain })).http, 200);
  });

  it('a session opens what a writable token opens, and never the control secret’s calls or v3', async () => {
    assert.equal((await ask('GET', '/portal/tokens', undefined, session)).http, 200);
    assert.equal((await ask('GET', '/mirror/changes', undefined, session)).http, 200);
    assert.equal((await ask('GET', '/portal/faults', undefined, session)).http, 401);
    assert.equal((await ask('GET', '/v3/accounts/me', undefined, session)).json.error_code, 401);
  });

  it('a page of another site changes nothing with it', async () => {
    const draft = { name: 'x', scope: 'read' };
    const from = (headers: Record<string, string>) => ask('POST', '/portal/tokens', draft, { ...session, ...headers });
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]) {
      const answer = await from(headers as Record<string, string>);
      assert.equal(answer.http, 403, JSON.stringify(headers));
    }
    assert.equal((await from(sameSite)).http, 200);
    assert.equal((await from({ origin: service.url })).http, 200);
    const login = { login: 'ada', password: PASSWORD };
    assert.equal((await ask('POST', '/portal/login', login, { origin: 'https://evil.example' })).http, 403);
  });

  it('signing out ends it at once', async () => {
    const signedIn = await ask('POST', '/portal/login', { login: 'ada', password: PASSWORD });
    const cookie = { cookie: cookieOf(signedIn) };
    assert.equal((await ask('GET', '/portal/session', undefined, cookie)).http, 200);
    const out = await ask('POST', '/portal/logout', {}, { ...cookie, ...sameSite });
    assert.match(out.headers.get('set-cookie') ?? '', /^stayd_session=; .*Max-Age=0/);
    assert.equal((await ask('GET', '/portal/session', undefined, cookie)).http, 401);
    const wrong = await ask('POST', '/portal/login', { login: 'ada', password: 'no' });
    assert.deepEqual([wrong.http, wrong.json.error.message], [401, 'Login or password is wrong.']);
  });

  it('only the owner invites: a token, however writable, makes no password', async () => {
    const byToken = await call(service, 'POST', '/portal/invites', { token: service.token, body: {} });
    assert.equal(byToken.http, 401);
    assert.equal((await ask('POST', '/portal/invites', {}, { ...session, ...sameSite })).http, 200);
  });

  it('sub-accounts: made, listed and changed; their tokens see what they were given, and end with nothing more', async () => {
    const property = async (title: string) =>
      (await service.v3('POST', '/properties', { title })).property_id as number;
    const [sea, hill] = [await property('Sea View'), await property('Hill Side')];
    const { id } = await service.portal('POST', '/portal/sub_accounts', { name: 'Cleaner', property_ids: [sea] });
    const { token } = await service.portal('POST', '/portal/tokens', { name: 'c', scope: 'write', operator_id: id });
    const seen = async () => {
      const answer = await call(service, 'GET', '/v3/properties', { token });
      return answer.json.data.properties.map((one: { id: number }) => one.id);
    };
    assert.deepEqual(await seen(), [sea]);
    await service.portal('PUT', `/portal/sub_accounts/${id}`, { name: 'Keeper', property_ids: [hill, hill] });
    assert.deepEqual(await seen(), [hill]);
    const { sub_accounts } = await service.portal('GET', '/portal/sub_accounts');
    assert.deepEqual(
      sub_accounts.map(({ created_at: _, ...one }: Record<string, unknown>) => one),
      [
        {
          id,
          name: 'Keeper',
          role: 'manager',
          all_properties: false,
          property_ids: [hill],
          login: null,
          invited_until: null,
        },
      ],
    );
    assert.equal(
      (await call(service, 'PUT', `/portal/sub_accounts/${id}`, { body: { property_ids: [9_999] } })).http,
      404,
    );
    assert.deepEqual(await seen(), [hill], 'a refused change changes nothing');
    for (const [method, path, body] of [
      ['GET', '/portal/sub_accounts', undefined],
      ['POST', '/portal/sub_accounts', { name: 'more' }],
      ['POST', '/portal/tokens', { name: 'more', scope: 'write' }],
      ['POST', '/portal/invites', {}],
      ['POST', '/portal/webhooks', { url: 'https://receiver.example/' }],
      ['GET', '/portal/webhooks', undefined],
      ['PATCH', '/portal/webhooks/1', { events: [] }],
      ['DELETE', '/portal/webhooks/1', undefined],
      ['POST', '/portal/webhooks/1/rotate', {}],
      // A mirror shows all properties.
      ['GET', '/mirror/changes', undefined],
      ['GET', '/mirror/changes/stream', undefined],
      ['GET', '/mirror/property', undefined],
      ['GET', `/mirror/property/${sea}`, undefined],
      ['GET', '/mirror/reports', undefined],
      ['GET', '/mirror/reports/occupancy', undefined],
      ['GET', '/portal/status', undefined],
      ['GET', '/portal/events', undefined],
      ['POST', '/portal/events/replay', { event_ids: ['x'] }],
      ['POST', '/portal/erase_guest', { email: 'a@b.example' }],
    ] as const) {
      assert.equal((await call(service, method, path, { token, ...(body && { body }) })).http, 401, path);
    }
    const hook = await call(service, 'POST', '/v3/webhooks', { token, body: { url: 'https://receiver.example/' } });
    const webhookId = hook.json.data.id;
    const listed = async () => (await service.portal('GET', '/portal/webhooks')).webhooks;
    const known = { client_id: null, operator_id: id, operator_name: 'Keeper' };
    assert.deepEqual((await listed()).find((one: { id: number }) => one.id === webhookId).registered_by, known);
    await service.portal('PATCH', `/portal/webhooks/${webhookId}`, { events: ['review_created'] });
    assert.deepEqual((await listed()).find((one: { id: number }) => one.id === webhookId).events, ['review_created']);
    await service.portal('DELETE', `/portal/webhooks/${webhookId}`);
    assert.ok(!(await listed()).some((one: { id: number }) => one.id === webhookId));
    // Long work says how it ends in its last line.
    for (const path of ['/portal/reconcile', '/portal/backfill', '/portal/rebuild_mirror', '/portal/verify']) {
      const { text } = await call(service, 'POST', path, { token, body: {} });
      assert.match(text, /^\{"error":\{"message":"Only the main account may do this\."\}\}\n$/, path);
    }
    const own = await call(service, 'GET', '/portal/tokens', { token });
    assert.deepEqual(
      own.json.tokens.map((one: { name: string }) => one.name),
      ['c'],
    );
    const { tokens } = await service.portal('GET', '/portal/tokens');
    const others = tokens.find((one: { name: string }) => one.name === 'daemon beside the core');
    assert.equal((await call(service, 'DELETE', `/portal/tokens/${others.id}`, { token })).http, 404);
  });

  it('a cap is set with a token, told to the owner alone, and not shaken off with a new token', async () => {
    const draft = { name: 'slow', scope: 'write', per_minute: 100, per_hour: 3 };
    const { token } = await service.portal('POST', '/portal/tokens', draft);
    const listed = async (answer: { tokens: { name: string; per_hour?: number }[] }) =>
      answer.tokens.find((one) => one.name === 'slow');
    assert.equal((await listed(await service.portal('GET', '/portal/tokens')))?.per_hour, 3);
    const byToken = (await call(service, 'GET', '/portal/tokens', { token: service.token })).json;
    assert.equal((await listed(byToken))?.per_hour, undefined);
    const more = await call(service, 'POST', '/portal/tokens', { token, body: { name: 'free', scope: 'write' } });
    assert.equal(more.http, 401);
    const codes: number[] = [];
    for (let i = 0; i < 3; i += 1)
      codes.push((await call(service, 'GET', '/v3/accounts/me', { token })).json.error_code);
    assert.deepEqual(codes, [200, 200, 429], 'the call to the portal has counted');
    for (const path of ['/mirror/changes', '/portal/tokens', '/metrics']) {
      const answer = await call(service, 'GET', path, { token, headers: path === '/metrics' ? { via: '1.1 x' } : {} });
      assert.equal(answer.http, path === '/metrics' ? 403 : 429, path);
      if (answer.http === 429) assert.ok(Number(answer.headers.get('retry-after')) > 0, path);
    }
    assert.equal((await call(service, 'POST', '/portal/tokens', { body: { ...draft, per_hour: 0 } })).http, 422);
  });

  it('an account’s edition, suspension and last day hold from the next request on', async () => {
    await service.portal('POST', '/portal/accounts', { name: 'north', time_zone: 'Europe/Oslo', currency: 'NOK' });
    const { token } = await service.portal('POST', '/portal/tokens', { account: 'north', name: 't', scope: 'read' });
    const set = (body: object) => service.portal('PUT', '/portal/accounts/north', body);
    const says = async () => (await call(service, 'GET', '/v3/accounts/me', { token })).json.error_msg as string;
    assert.equal(await says(), 'Done.');
    await set({ edition: 'basic' });
    assert.equal(await says(), 'Basic edition does not support this feature');
    await set({ edition: 'pro', suspended: true });
    assert.equal(await says(), 'Account suspended');
    await set({ suspended: false, expires_at: '2020-01-01' });
    assert.equal(await says(), 'Subscription expired');
    const changed = await set({ expires_at: '2999-01-01T00:00:00+01:00' });
    assert.equal(changed.expires_at, '2998-12-31T23:00:00.000Z');
    assert.equal(await says(), 'Done.');
    await set({ expires_at: null });
    assert.equal(await says(), 'Done.');
    const byToken = await call(service, 'PUT', '/portal/accounts/north', {
      token,
      body: { edition: 'pro' },
      headers: JSON_BODY,
    });
    assert.equal(byToken.http, 401);
    assert.equal((await call(service, 'PUT', '/portal/accounts/nowhere', { body: { edition: 'pro' } })).http, 404);
  });
});

describe('the first start', () => {
  it('prints a secret for the first sign-in, the second start prints none', async () => {
    const dataDir = dataDirectory();
    const said: string[] = [];
    for (let start = 0; start < 2; start += 1) {
      const service = await startProcess(dataDir);
      if (start === 0) await until(() => service.stdout().includes('first sign-in'), 'the secret to be printed');
      await service.kill('SIGTERM');
      said.push(service.stdout());
    }
    rmSync(dataDir, { recursive: true, force: true });
    assert.match(said[0] ?? '', /shown only now: ([A-HJ-NP-Z2-9]{4}-){6}[A-HJ-NP-Z2-9]{4}$/m);
    assert.doesNotMatch(said[1] ?? '', /sign/);
  });
});
