import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { type Arrival, isNear, isOwnName } from '../../src/api/http/near.ts';
import { call, startTestService, type TestService, until } from '../support/service.ts';

const OWN = 'rooms.example';
const LOCAL = '127.0.0.1:8484';

function arrival(remoteAddress: string, headers: IncomingHttpHeaders, httpVersion = '1.1'): Arrival {
  const socket = { remoteAddress, localAddress: '192.0.2.10' } as unknown as Socket;
  return { headers, protocol: 'http', socket, raw: { httpVersion } };
}

describe('who is near', () => {
  const rows: [who: string, asked: Arrival, near: boolean][] = [
    ['this machine', arrival('127.0.0.1', { host: LOCAL }), true],
    ['this machine by another of its addresses', arrival('127.8.8.8', { host: '127.8.8.8:1' }), true],
    ['this machine over IPv6', arrival('::1', { host: '[::1]:8484' }), true],
    ['this machine as IPv6 sees IPv4, by name', arrival('::ffff:127.0.0.1', { host: 'LOCALHOST' }), true],
    ['a stranger', arrival('203.0.113.7', { host: LOCAL }), false],
    ['by a public name', arrival('127.0.0.1', { host: OWN }), false],
    ['by no name', arrival('127.0.0.1', {}), false],
    ['a proxy that adds nothing, in HTTP/1.0', arrival('127.0.0.1', { host: LOCAL }, '1.0'), false],
    ...[
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-forwarded-proto': 'https' },
      { 'x-forwarded-host': 'localhost' },
      { 'x-real-ip': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1' },
      { via: '1.1 proxy' },
      { 'x-forwarded-for': '' },
    ].map((headers): [string, Arrival, boolean] => [
      `a proxy that says ${JSON.stringify(headers)}`,
      arrival('127.0.0.1', { host: LOCAL, ...headers }),
      false,
    ]),
  ];
  for (const [who, asked, near] of rows) it(`${who}: ${near}`, () => assert.equal(isNear(asked), near));

  it('a name is its own when it was given, is this machine, or is the address that was reached', () => {
    const own = (host: string) => isOwnName(arrival('203.0.113.7', { host }), [OWN, 'fd00::1']);
    for (const host of [
      OWN,
      `${OWN}:443`,
      'Rooms.Example',
      'localhost:1',
      '127.0.0.1',
      '[::1]:8',
      '192.0.2.10:80',
      '[fd00::1]',
    ]) {
      assert.equal(own(host), true, host);
    }
    const foreign = [
      'evil.example',
      `${OWN}.evil.example`,
      `evil${OWN}`,
      `${OWN}:99999x`,
      `a@${OWN}`,
      '192.0.2.11',
      '',
      '[',
      `${OWN}/`,
    ];
    for (const host of foreign) assert.equal(own(host), false, host);
  });
});

describe('behind a proxy on this machine', () => {
  let service: TestService;
  let secret: string;
  before(async () => {
    service = await startTestService({ STAYD_PUBLIC_URL: `https://${OWN}` });
    secret = service.service.control.secret;
  });
  after(() => service.remove());

  /** As it goes over the wire: programs that speak HTTP properly would set Host themselves. */
  async function ask(
    path: string,
    headers: Record<string, string>,
    { method = 'GET', version = '1.1' } = {},
  ): Promise<number> {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const lines = Object.entries({ host: LOCAL, connection: 'close', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    socket.write([`${method} ${path} HTTP/${version}`, ...lines, '', ''].join('\r\n'));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(socket, 'close');
    return Number(/^HTTP\/1.1 (\d+)/.exec(Buffer.concat(chunks).toString())?.[1]);
  }
  const by = (proto: string) => ({ 'x-forwarded-proto': proto, 'x-forwarded-for': '203.0.113.7', host: OWN });
  const PATHS = [
    '/v3/accounts/me',
    '/portal/tokens',
    '/mirror/changes',
    '/docs',
    '/openapi.json',
    '/healthz',
    '/readyz',
    '/metrics',
    '/',
    '/status.txt',
    '/console/today',
    '/none',
    '/share/x',
    '/hooks/local',
  ];

  it('what came by http is refused everywhere, whatever else it carries', async () => {
    for (const path of [...PATHS, '/mcp', '/oauth/authorize', '/.well-known/oauth-authorization-server']) {
      for (const proto of ['http', 'HTTP', 'https, http', 'http, https', 'nonsense', '']) {
        const headers = { ...by(proto), 'service-access-token': service.token, 'stayd-control-secret': secret };
        assert.equal(await ask(path, headers), 403, `${path} ${proto}`);
      }
      assert.equal(await ask(path, { host: OWN, forwarded: 'for=203.0.113.7;proto=http' }), 403, path);
      assert.equal(await ask(path, { host: OWN, 'x-forwarded-for': '203.0.113.7' }), 403, 'it does not say by what');
    }
  });

  it('what came by https is served, but not as if it were this machine', async () => {
    assert.equal(await ask('/healthz', by('https')), 200);
    assert.equal(await ask('/status.txt', by('https')), 404);
    assert.equal(await ask('/metrics', by('https')), 401);
    assert.equal(await ask('/metrics', { ...by('https'), 'service-access-token': service.token }), 200);
    assert.equal(await ask('/portal/tokens', { ...by('https'), 'service-access-token': service.token }), 200);
    assert.equal(await ask('/portal/tokens', { ...by('https'), 'stayd-control-secret': secret }), 401);
    const forged = { host: OWN, 'x-forwarded-proto': 'https', 'x-forwarded-for': '127.0.0.1' };
    assert.equal(await ask('/portal/tokens', { ...forged, 'stayd-control-secret': secret }), 401);
    assert.equal(await ask('/portal/tokens', { ...forged, host: LOCAL, 'stayd-control-secret': secret }), 401);
  });

  it('a proxy that adds no header is served, and is not this machine either', async () => {
    for (const [headers, version] of [
      [{ host: OWN }, '1.1'],
      [{ host: LOCAL }, '1.0'],
    ] as const) {
      assert.equal(await ask('/healthz', headers, { version }), 200);
      assert.equal(await ask('/status.txt', headers, { version }), 404);
      assert.equal(await ask('/metrics', headers, { version }), 401);
      assert.equal(await ask('/portal/tokens', { ...headers, 'stayd-control-secret': secret }, { version }), 401);
    }
  });

  it('this machine itself is served all of it', async () => {
    assert.equal(await ask('/', {}), 303);
    assert.equal(await ask('/status.txt', {}), 200);
    assert.equal(await ask('/metrics', {}), 200);
    assert.equal(await ask('/portal/tokens', { 'stayd-control-secret': secret }), 200);
    assert.equal(await ask('/portal/tokens', { 'stayd-control-secret': 'x' }), 401);
  });

  it('a webhook to this very port reaches the daemon alone', async () => {
    const paths = ['/portal/login', '/metrics', '/v3/webhooks', '/hooks/local?by=hand'];
    const ids: number[] = [];
    for (const path of paths) ids.push((await service.v3('POST', '/webhooks', { url: `${service.url}${path}` })).id);
    await service.v3('POST', '/properties', { title: 'Mill' });
    const { property_id } = await service.v3('POST', '/properties', { title: 'Barn' });
    const dates = { check_in_date: '2027-03-01', check_out_date: '2027-03-02', guest_name: 'A' };
    await service.v3('POST', '/reservations', {
      property_id,
      ...dates,
      rate_amount: 1,
      commission_amount: 0,
      received_amount: 0,
    });
    const outcomes = () =>
      service.rows(
        `select distinct webhook_id, outcome from core.deliveries where webhook_id in (${ids.join()}) order by webhook_id`,
      );
    await until(async () => {
      const rows = await outcomes();
      return rows.length >= ids.length && rows.every(({ outcome }) => outcome !== null);
    }, 'all outcomes');
    assert.deepEqual(
      (await outcomes()).map(({ outcome }) => outcome),
      // The daemon takes what it did not register for a forgery; but it was asked.
      ['private_address', 'private_address', 'private_address', 'refused'],
    );
  });

  it('login and password are read from the body alone: what stands in an address ends in logs', async () => {
    const { secret: invite } = await service.portal('POST', '/portal/invites', {});
    const body = { secret: invite, login: 'ada', password: 'correct horse battery' };
    assert.equal((await call(service, 'POST', '/portal/invites/accept', { token: null, body })).http, 200);
    const { secret: _, ...login } = body;
    const asked = `/portal/login?${new URLSearchParams(login).toString()}`;
    for (const given of [{}, login]) {
      const answer = await call(service, 'POST', asked, { token: null, body: given });
      assert.deepEqual([answer.http, answer.headers.get('set-cookie')], [422, null]);
      assert.match(answer.json.error.message, /^query: /);
      assert.ok(!answer.text.includes('battery'));
    }
    assert.equal((await call(service, 'POST', '/portal/login', { token: null, body: login })).http, 200);
    assert.equal((await call(service, 'POST', '/portal/tokens?name=x&scope=write', { body: {} })).http, 422);
  });

  it('nothing is kept by browsers and proxies that does not say so itself, and https stays https', async () => {
    for (const path of [...PATHS, '/mcp', '/oauth/authorize', '/portal/session', '/portal/status']) {
      const { headers } = await fetch(`${service.url}${path}`);
      const kept = headers.get('cache-control') ?? '';
      assert.ok(kept === 'no-store' || (path === '/docs' && kept.startsWith('public')), `${path} ${kept}`);
      assert.equal(headers.get('strict-transport-security'), 'max-age=31536000', path);
    }
  });

  it('a body nested 20,000 deep is told apart from one that is fine: 422', async () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    for (const path of ['/portal/tokens', '/portal/login', '/portal/webhooks', '/portal/imports']) {
      const headers = { 'content-type': 'application/json', 'stayd-control-secret': secret };
      const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers, body: `{"name":${deep}}` });
      assert.ok(answer.status === 422 || answer.status === 404, `${path} ${answer.status}`);
    }
  });

  it('a token ends when it was said to, and tells on which day it was used', async () => {
    const over = await call(service, 'POST', '/portal/tokens', {
      body: { name: 'x', scope: 'read', expires_at: '2020-01-01' },
    });
    assert.deepEqual([over.http, over.json.error.field], [422, 'expires_at']);
    const soon = new Date(Date.now() + 1_500).toISOString();
    const { id, token } = await service.portal('POST', '/portal/tokens', {
      name: 'guest',
      scope: 'read',
      expires_at: soon,
    });
    const listed = async () =>
      (await service.portal('GET', '/portal/tokens')).tokens.find((one: { id: number }) => one.id === id);
    assert.deepEqual([(await listed()).expires_at, (await listed()).last_used_on], [soon, null]);
    const opens = async () => (await call(service, 'GET', '/v3/accounts/me', { token })).json.error_code;
    assert.equal(await opens(), 200);
    assert.match((await listed()).last_used_on, /^\d{4}-\d\d-\d\d$/);
    await until(async () => (await opens()) === 401, 'its end');
  });

  it('says to whom flaws are told, once that is configured', async () => {
    assert.equal((await fetch(`${service.url}/.well-known/security.txt`)).status, 404);
    const told = await startTestService({ STAYD_SECURITY_CONTACT: 'mailto:security@rooms.example' });
    try {
      const answer = await fetch(`${told.url}/.well-known/security.txt`);
      assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; charset=utf-8/);
      const text = await answer.text();
      assert.match(text, /^Contact: mailto:security@rooms\.example\nExpires: (\S+)\nCanonical: http/);
      const [, expires = ''] = /Expires: (\S+)/.exec(text) ?? [];
      const days = (Date.parse(expires) - Date.now()) / 86_400_000;
      assert.ok(days > 90 && days < 365, expires);
    } finally {
      await told.remove();
    }
  });

  it('a foreign Host name is refused everywhere: a page of somebody else made a browser ask', async () => {
    for (const path of [...PATHS, '/mcp', '/oauth/authorize']) {
      for (const host of ['evil.example', 'evil.example:8484', `${OWN}.evil.example`]) {
        const headers = { host, 'service-access-token': service.token, 'stayd-control-secret': secret };
        assert.equal(await ask(path, headers), 403, `${path} ${host}`);
        assert.equal(await ask(path, { ...headers, 'x-forwarded-proto': 'https' }), 403, `${path} ${host}`);
      }
    }
  });
});
