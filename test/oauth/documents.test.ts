import assert from 'node:assert/strict';
import { createSecureContext } from 'node:tls';
import { describe, it, type TestContext } from 'node:test';
import { systemClock } from '../../src/kernel/clock.ts';
import { describedClient, lifetimeOf } from '../../src/oauth/documents.ts';
import { register } from '../../src/oauth/register.ts';
import type { OAuth } from '../../src/oauth/server.ts';
import { registrations } from '../../src/api/oauth/registrations.ts';
import { serveOAuth } from '../../src/api/oauth/serve.ts';
import { newServer } from '../../src/api/http/server.ts';
import { documentReader, type Reader } from '../../src/outbound/readDocument.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { CERTIFICATE } from '../outbound/certificate.ts';
import { canaries, tlsReceiver } from '../outbound/servers.ts';
import { manualClock } from '../support/clock.ts';
import { oauthOf, startCore } from '../support/core.ts';
import { formText, pkcePair, signedIn } from './support/flow.ts';

const HOST = 'hooks.example';
const REDIRECT = 'https://assistant.example/callback';

/** A reader that takes HOST for this machine, and trusts its certificate. */
function testReader(t: TestContext, port: number): Reader {
  const reader = documentReader({
    clock: systemClock,
    userAgent: 'stayd-test/1',
    policy: { allow: [`${HOST}:${port}`] },
    resolve: async (hostname) => {
      if (hostname !== HOST) throw new Error('ENOTFOUND');
      return ['127.0.0.1'];
    },
    trust: createSecureContext({ ca: CERTIFICATE }),
  });
  t.after(() => reader.close());
  return reader;
}

interface Answer {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  text?: string;
}

/** A server of somebody's application, and ours, which asks it. */
async function stage(t: TestContext) {
  const core = await startCore();
  t.after(() => core.close());
  let asked = 0;
  let answer: (clientId: string) => Answer = () => ({});
  const server = await tlsReceiver(t, (request, response) => {
    asked += 1;
    const {
      status = 200,
      type = 'application/json',
      headers = {},
      text,
    } = answer(`https://${HOST}:${server.port}${request.url}`);
    response.writeHead(status, { 'content-type': type, ...headers }).end(text);
  });
  const reader = testReader(t, server.port);
  const oauth: OAuth = { ...oauthOf(core.core), readDocument: (url) => reader.read(url) };
  const app = newServer({ trustedProxies: [], names: () => [], tls: null });
  serveOAuth(app, { core: core.core, oauth, log: silentLogger, trustedProxies: [] });
  t.after(() => app.close());
  const cookie = await signedIn(core, core.own.account, 'ann');
  const clientId = `https://${HOST}:${server.port}/app.json`;
  const { challenge } = pkcePair();
  return {
    core,
    oauth,
    clientId,
    asked: () => asked,
    answers: (next: typeof answer) => (answer = next),
    open: (fields: Record<string, string | undefined> = {}, headers: Record<string, string> = { cookie }) =>
      app.inject({
        url: `/oauth/authorize?${formText({
          client_id: clientId,
          redirect_uri: REDIRECT,
          response_type: 'code',
          code_challenge: challenge,
          code_challenge_method: 'S256',
          ...fields,
        })}`,
        headers,
      }),
  };
}

const described = (clientId: string, more: object = {}): Answer => ({
  text: JSON.stringify({ client_id: clientId, client_name: 'Assistant', redirect_uris: [REDIRECT], ...more }),
});

describe('S20: applications that describe themselves', () => {
  it('a good description is shown with a warning and its host, and read once while it is fresh', async (t) => {
    const { core, clientId, asked, answers, open } = await stage(t);
    answers((id) => ({ ...described(id), headers: { 'cache-control': 'max-age=1200' } }));
    const page = await open();
    assert.equal(page.statusCode, 200, page.body);
    for (const text of ['Assistant', 'assistant.example', 'Nobody here has registered', HOST])
      assert.ok(page.body.includes(text), text);
    await open();
    assert.equal(asked(), 1);
    await core.clock.advance(1_200_000);
    answers((id) => described(id, { client_name: 'Renamed' }));
    assert.ok((await open()).body.includes('Renamed'));
    assert.equal(asked(), 2);
    assert.ok(clientId.startsWith('https://'));
  });

  it('nothing is read for somebody who has not signed in', async (t) => {
    const { asked, answers, open } = await stage(t);
    answers((id) => described(id));
    const page = await open({}, {});
    assert.ok(page.body.includes('/oauth/sign-in'));
    assert.equal(asked(), 0);
  });

  it('an address to return to that is not described is refused; one on the own machine is warned of', async (t) => {
    const { answers, open } = await stage(t);
    answers((id) => described(id, { redirect_uris: ['http://127.0.0.1:3000/cb'] }));
    assert.equal((await open()).statusCode, 400);
    const page = await open({ redirect_uri: 'http://127.0.0.1:4711/cb' });
    assert.ok(page.statusCode === 200 && page.body.includes('Any program there can pretend'), page.body);
  });

  const bad: [string, (id: string) => Answer][] = [
    ['a client_id that is another address', (id) => described(`${id}x`)],
    ['a client_id in another case', (id) => described(id.replace('hooks', 'Hooks'))],
    ['no name', (id) => described(id, { client_name: '' })],
    ['no addresses to return to', (id) => described(id, { redirect_uris: [] })],
    ['javascript:', (id) => described(id, { redirect_uris: ['javascript:alert(1)'] })],
    ['data:', (id) => described(id, { redirect_uris: ['data:text/html,x'] })],
    ['plain http', (id) => described(id, { redirect_uris: ['http://assistant.example/cb'] })],
    ['a wildcard', (id) => described(id, { redirect_uris: ['https://*.example/cb'] })],
    ['a secret that everybody can read', (id) => described(id, { client_secret: 'x' })],
    [
      'a way of proving itself that needs a secret',
      (id) => described(id, { token_endpoint_auth_method: 'client_secret_post' }),
    ],
    ['a key of its own', (id) => described(id, { token_endpoint_auth_method: 'private_key_jwt' })],
    ['no JSON', () => ({ text: '<html>' })],
    ['a list', () => ({ text: '[]' })],
    ['HTML by its type', (id) => ({ ...described(id), type: 'text/html' })],
    ['a redirect', (id) => ({ ...described(id), status: 302, headers: { location: 'https://127.0.0.1/' } })],
    ['an error', (id) => ({ ...described(id), status: 404 })],
    ['more than 5 kB', (id) => described(id, { padding: 'x'.repeat(5_120) })],
    ['a packed body', (id) => ({ ...described(id), headers: { 'content-encoding': 'gzip' } })],
  ];
  it(`${bad.length} bad descriptions: none is accepted, nothing is stored`, async (t) => {
    const { core, answers, open } = await stage(t);
    for (const [what, answer] of bad) {
      answers(answer);
      const page = await open();
      assert.equal(page.statusCode, 400, `${what}: ${page.body}`);
      assert.equal((await core.core.store.db.selectFrom('oauth_clients').selectAll().execute()).length, 0, what);
    }
  });

  it('S5: addresses inside, other schemes and odd spellings: refused without a connection', async (t) => {
    const { open } = await stage(t);
    const canary = await canaries(t);
    const inside = [
      `https://127.0.0.1:${canary.port}/app.json`,
      `https://127.0.0.2:${canary.port}/app.json`,
      `https://[::1]:${canary.port}/app.json`,
      `https://2130706433:${canary.port}/app.json`,
      `https://0x7f.1:${canary.port}/app.json`,
      `https://localhost:${canary.port}/app.json`,
      `http://127.0.0.1:${canary.port}/app.json`,
      'https://10.0.0.1/app.json',
      'https://169.254.169.254/latest/meta-data',
      'https://metadata.google.internal/x',
      'https://app.example',
      'https://app.example/',
      'https://app.example/x#y',
      'https://user@app.example/x',
      'https://app.example/a/../b',
      'HTTPS://app.example/x',
      'https://app.example:8080/x',
    ];
    for (const client_id of inside) assert.equal((await open({ client_id })).statusCode, 400, client_id);
    assert.equal(canary.hits(), 0);
  });

  it('a good description at an address that could be written otherwise is none', async (t) => {
    const { clientId, asked, answers, open } = await stage(t);
    const base = clientId.replace('/app.json', '');
    const odd = [`${base}/a/../app.json`, `${clientId}#x`, clientId.replace('https', 'HTTPS'), base, `${base}/`];
    for (const client_id of [...odd, clientId.replace('https://', 'https://user@')]) {
      answers(() => described(client_id));
      assert.equal((await open({ client_id })).statusCode, 400, client_id);
    }
    assert.equal(asked(), 0);
  });

  it('where the owner does not want them nothing is read, nor taken from what was read before', async (t) => {
    const { clientId, asked, answers, oauth, open } = await stage(t);
    const closed = { ...oauth, settings: { ...oauth.settings, metadataDocuments: false } };
    answers((id) => described(id));
    await assert.rejects(describedClient(closed, clientId, true), { error: 'invalid_client' });
    assert.equal(asked(), 0);
    assert.equal((await open()).statusCode, 200);
    await assert.rejects(describedClient(closed, clientId, true), { error: 'invalid_client' });
    assert.equal(asked(), 1);
  });

  it('a server that says nothing is given up after five seconds', async (t) => {
    const server = await tlsReceiver(t, () => {});
    const reader = documentReader({
      clock: systemClock,
      userAgent: 'x',
      limitMs: 200,
      policy: { allow: [`${HOST}:${server.port}`] },
      resolve: async () => ['127.0.0.1'],
      trust: createSecureContext({ ca: CERTIFICATE }),
    });
    const alive = setInterval(() => {}, 50);
    const outcome = await reader.read(`https://${HOST}:${server.port}/app.json`);
    clearInterval(alive);
    assert.ok('problem' in outcome);
    await reader.close();
  });

  it('how long a description counts: what its server says, within five minutes and a day', () => {
    const rows: [string | undefined, number][] = [
      [undefined, 3_600_000],
      ['max-age=600', 600_000],
      ['public, MAX-AGE=1', 300_000],
      ['max-age=999999999', 86_400_000],
      ['no-store', 300_000],
      ['no-cache, max-age=9999', 300_000],
      ['max-age=x', 3_600_000],
    ];
    for (const [header, ms] of rows) assert.equal(lifetimeOf(header), ms, header);
  });
});

describe('applications that register themselves', () => {
  it('a hundred an hour from all places together', async () => {
    const clock = manualClock();
    const mayRegister = registrations(clock);
    for (let i = 0; i < 100; i += 1) assert.ok(mayRegister(`10.0.0.${i}`), `${i + 1}`);
    assert.equal(mayRegister('10.0.1.1'), false);
    clock.jump(3_600_000);
    assert.ok(mayRegister('10.0.1.1'));
  });

  it('off unless the owner wants it: 501', async (t) => {
    const { oauth } = await stage(t);
    await assert.rejects(register(oauth, { redirect_uris: [REDIRECT] }), { error: 'not_implemented' });
  });

  it('on: public and confidential ones, nothing dangerous, a warning on the page, ten an hour from one place', async (t) => {
    const core = await startCore();
    t.after(() => core.close());
    const oauth: OAuth = {
      ...oauthOf(core.core),
      settings: { ...oauthOf(core.core).settings, dynamicRegistration: true },
    };
    const app = newServer({ trustedProxies: [], names: () => [], tls: null });
    serveOAuth(app, { core: core.core, oauth, log: silentLogger, trustedProxies: [] });
    t.after(() => app.close());
    const ask = (payload: object) => app.inject({ method: 'POST', url: '/oauth/register', payload });
    const open = await ask({ client_name: 'X', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' });
    assert.equal(open.statusCode, 201, open.body);
    assert.equal(open.json().client_secret, undefined);
    const closed = await ask({ redirect_uris: [REDIRECT] });
    assert.match(closed.json().client_secret, /^stayd_ocs_/);
    assert.equal(closed.json().client_secret_expires_at, 0);
    for (const [redirect_uris, error] of [
      [['javascript:alert(1)'], 'invalid_redirect_uri'],
      [['http://app.example/'], 'invalid_redirect_uri'],
      [['https://*.example/'], 'invalid_redirect_uri'],
      [[], 'invalid_redirect_uri'],
      ['x', 'invalid_client_metadata'],
    ] as const) {
      const answer = await ask({ redirect_uris });
      assert.deepEqual([answer.statusCode, answer.json().error], [400, error], answer.body);
    }
    const metadata = await app.inject('/.well-known/oauth-authorization-server');
    assert.ok(metadata.json().registration_endpoint);
    for (let i = 0; i < 3; i += 1) await ask({ redirect_uris: [REDIRECT] });
    const late = await ask({ redirect_uris: [REDIRECT] });
    assert.deepEqual([late.statusCode, late.headers['retry-after']], [429, '3600']);
    await core.clock.advance(3_600_000);
    assert.equal((await ask({ redirect_uris: [REDIRECT] })).statusCode, 201);
  });
});
