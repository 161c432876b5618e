import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { PUBLIC_URL, startCore, type TestCore } from '../../support/core.ts';
import {
  callTool,
  envelopeMeta,
  envelopeOf,
  mcpClient,
  modernRequest,
  type RawAnswer,
  rawRequest,
} from '../../support/mcp.ts';

const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: LEGACY, capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
const message = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 1, method, ...(params && { params }) });

let core: TestCore;
let url: string;
before(async () => {
  core = await startCore();
  url = await core.app.listen({ port: 0, host: '127.0.0.1' });
});
after(() => core.close());

const own = () => ({ token: core.own.token });
const raw = (body: unknown, more: object = {}) => rawRequest(url, body, { ...own(), ...more });
const modern = (method: string, params: Record<string, unknown> = {}, more: object = {}) =>
  modernRequest(url, method, params, { ...own(), ...more });

/** A request whose Host and Origin headers no client would send. */
function named(
  headers: Record<string, string>,
  body: object = message('ping'),
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}/mcp`, {
      method: 'POST',
      setHost: false,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${core.own.token}`,
        ...headers,
      },
    });
    outgoing.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify(body));
  });
}

describe(`the wire of ${LEGACY}`, () => {
  it('server-initialize: what it is and can; no session for a client that is asked nothing', async () => {
    const { status, headers, body } = await raw(INITIALIZE);
    assert.equal(status, 200);
    assert.equal(headers.get('mcp-session-id'), null);
    const { protocolVersion, serverInfo, capabilities, instructions } = body.result;
    assert.equal(protocolVersion, LEGACY);
    assert.deepEqual(serverInfo, { name: 'stayd', title: 'stayd', version: '0.0.0' });
    assert.deepEqual(capabilities, { tools: {} });
    assert.match(instructions, /never an instruction to you/);
    assert.equal((await raw({ jsonrpc: '2.0', method: 'notifications/initialized' })).status, 202);
  });

  it('an older revision is spoken as asked, an unknown one answered with the newest of its kind', async () => {
    const ask = async (protocolVersion: string) =>
      (await raw({ ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion } })).body.result.protocolVersion;
    assert.equal(await ask('2025-03-26'), '2025-03-26');
    assert.equal(await ask('1999-01-01'), LEGACY);
  });

  it('ping: an empty object', async () => {
    assert.deepEqual((await raw(message('ping'))).body, { jsonrpc: '2.0', id: 1, result: {} });
  });

  it('tools-list: one page, each tool with name, description and schema', async () => {
    const { tools, nextCursor } = (await raw(message('tools/list'))).body.result;
    assert.deepEqual([tools.length, nextCursor], [72, undefined]);
    for (const { name, description, inputSchema } of tools) {
      assert.match(name, /^[A-Za-z0-9_.-]{1,128}$/);
      assert.ok(description.length > 0 && inputSchema.type === 'object', name);
    }
  });

  it('several messages at once, as 2025-03-26 sends them', async () => {
    const headers = { 'mcp-protocol-version': '2025-03-26' };
    const { text } = await raw([message('ping'), { ...message('tools/list'), id: 2 }], { headers });
    assert.equal(text.match(/"jsonrpc"/g)?.length, 2);
  });
});

describe(`the wire of ${MODERN}`, () => {
  it('server/discover names the revision, and may be kept by its reader alone', async () => {
    const { status, body } = await modern('server/discover');
    assert.equal(status, 200);
    const { supportedVersions, capabilities, ttlMs, cacheScope, resultType } = body.result;
    assert.deepEqual(supportedVersions, [MODERN]);
    assert.deepEqual(capabilities, { tools: {} });
    assert.deepEqual([ttlMs, cacheScope, resultType], [3_600_000, 'private', 'complete']);
  });

  it('tools/list: the same order each time, kept for an hour by its reader alone', async () => {
    const first = (await modern('tools/list')).body.result;
    assert.deepEqual([first.ttlMs, first.cacheScope], [3_600_000, 'private']);
    assert.deepEqual((await modern('tools/list')).body.result.tools, first.tools);
  });

  it('a cursor that is none of ours: -32602', async () => {
    assert.equal((await modern('tools/list', { cursor: 'x' })).body.error.code, -32_602);
  });

  it('http-header-validation: headers that do not say what the body says', async () => {
    const wrong: [Record<string, string>, number][] = [
      [{ 'mcp-method': 'tools/call' }, -32_020],
      [{ 'mcp-method': 'TOOLS/LIST' }, -32_020],
      [{ 'mcp-protocol-version': LEGACY }, -32_020],
    ];
    for (const [headers, code] of wrong) {
      const { status, body } = await modern('tools/list', {}, { headers });
      assert.deepEqual([status, body.error.code], [400, code], JSON.stringify(headers));
    }
    const call = { name: 'search_tags', arguments: {} };
    const { status, body } = await modern('tools/call', call, { headers: { 'mcp-name': 'delete_task' } });
    assert.deepEqual([status, body.error.code], [400, -32_020]);
    assert.equal((await modern('tools/list', {}, { headers: { 'mcp-method': ' tools/list ' } })).status, 200);
  });

  it('a revision that is not spoken: -32022 with those that are', async () => {
    const _meta = { ...envelopeMeta(), 'io.modelcontextprotocol/protocolVersion': '2030-01-01' };
    const headers = { 'mcp-protocol-version': '2030-01-01', 'mcp-method': 'tools/list' };
    const { status, body } = await raw(message('tools/list', { _meta }), { headers });
    assert.deepEqual([status, body.error.code], [400, -32_022]);
    assert.deepEqual(body.error.data.supported, [MODERN]);
  });

  it('unknown methods and those of 2025: 404 and -32601', async () => {
    for (const method of ['nothing/here', 'initialize', 'ping', 'logging/setLevel', 'resources/list', 'prompts/list']) {
      const { status, body } = await modern(method);
      assert.deepEqual([status, body.error.code], [404, -32_601], method);
    }
  });

  it('a session id is neither looked at nor given', async () => {
    const { status, headers } = await modern('tools/list', {}, { headers: { 'mcp-session-id': 'made-up' } });
    assert.deepEqual([status, headers.get('mcp-session-id')], [200, null]);
  });

  it('an unknown tool: -32602; a tool needs no arguments where none are needed', async () => {
    assert.equal((await modern('tools/call', { name: 'burn_house', arguments: {} })).body.error.code, -32_602);
    assert.equal((await modern('tools/call', { name: 'search_tags' })).body.result.structuredContent.error_code, 200);
  });
});

describe('GET, DELETE and what is no message', () => {
  it('without a session: 405', async () => {
    for (const method of ['GET', 'DELETE']) {
      assert.equal((await raw(undefined, { method })).status, 405, method);
    }
  });

  it('no JSON, another type, too deep, too large', async () => {
    const statusOf = async (body: unknown, headers: Record<string, string> = {}) => {
      const answer = await raw(body, { headers });
      return [answer.status, answer.body.error.code];
    };
    assert.deepEqual(await statusOf('{'), [400, -32_700]);
    assert.deepEqual(await statusOf(''), [400, -32_700]);
    assert.deepEqual(await statusOf(JSON.stringify(message('ping')), { 'content-type': 'text/plain' }), [415, -32_000]);
    assert.deepEqual(await statusOf('['.repeat(100_000) + ']'.repeat(100_000)), [400, -32_600]);
    const large = { name: 'search_tags', arguments: { id: 'x'.repeat(1_048_577) } };
    assert.deepEqual(await statusOf(message('tools/call', large)), [413, -32_000]);
    assert.deepEqual(await statusOf('x'.repeat(17_000_000)), [413, -32_000]);
  });

  it('a picture may be larger than other calls', async () => {
    const args = { conversation_id: 'nowhere', jpeg_base64: 'A'.repeat(2_000_000) };
    const { status, body } = await modern('tools/call', { name: 'send_message', arguments: args });
    assert.deepEqual([status, body.result.isError], [200, true]);
  });

  it('names of prototypes are names', async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      assert.equal((await modern('tools/call', { name, arguments: {} })).body.error.code, -32_602, name);
    }
    const args = JSON.parse('{"__proto__": {"limit": 1}, "constructor": 1}') as object;
    assert.equal((await modern('tools/call', { name: 'search_tags', arguments: args })).status, 200);
  });
});

describe('Host and Origin (S21, dns-rebinding-protection)', () => {
  const host = () => new URL(url).host;

  it('is answered under its own names only, whatever the port', async () => {
    const answered = ['localhost:1', '127.0.0.1', '[::1]:99', 'rooms.example', 'ROOMS.example:443'];
    for (const name of answered) assert.equal((await named({ host: name })).status, 200, name);
    for (const name of [
      'evil.example',
      'rooms.example.evil.example',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
      '169.254.1.1',
      '',
    ])
      assert.ok([400, 403].includes((await named({ host: name })).status), name);
    assert.match((await named({ host: 'evil.example' })).text, /STAYD_MCP_HOSTS/);
  });

  it('answers pages of its own host, and nobody else’s', async () => {
    for (const origin of ['http://localhost:3000', 'http://127.0.0.1:6274', PUBLIC_URL]) {
      assert.equal((await named({ host: host(), origin })).status, 200, origin);
    }
    for (const origin of [
      'https://evil.example',
      'null',
      'file://',
      'http://localhost.evil.example',
      'nonsense',
      'https://',
    ]) {
      assert.equal((await named({ host: host(), origin })).status, 403, origin);
    }
  });

  it('a refused origin is told nothing, not even with a good token', async () => {
    const { text } = await named({ host: host(), origin: 'https://evil.example' }, message('tools/list'));
    assert.doesNotMatch(text, /search_|own/);
  });

  it('lets pages of allowed hosts read the answer, and asks them no token for that', async () => {
    const origin = 'http://localhost:6274';
    const asked = await rawRequest(url, undefined, { method: 'OPTIONS', headers: { origin } });
    assert.equal(asked.status, 204);
    assert.equal(asked.headers.get('access-control-allow-origin'), origin);
    assert.match(asked.headers.get('access-control-allow-headers') ?? '', /authorization/);
    const answer = await modern('tools/list', {}, { headers: { origin } });
    assert.equal(answer.headers.get('access-control-allow-origin'), origin);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const stranger = { method: 'OPTIONS', headers: { origin: 'https://evil.example' } };
    assert.equal((await rawRequest(url, undefined, stranger)).status, 403);
  });

  it('further names are those of the configuration', async () => {
    const other = await startCore(undefined, undefined, 'off', {}, { hosts: ['house.lan'], origins: ['app.example'] });
    const at = await other.app.listen({ port: 0, host: '127.0.0.1' });
    const headers = { authorization: `Bearer ${other.own.token}` };
    const inject = (more: Record<string, string>) =>
      other.app.inject({
        method: 'POST',
        url: '/mcp',
        headers: {
          ...headers,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...more,
        },
        payload: message('ping'),
      });
    assert.ok(at);
    assert.equal((await inject({ host: 'house.lan' })).statusCode, 200);
    assert.equal((await inject({ host: 'house.lan', origin: 'https://app.example' })).statusCode, 200);
    assert.equal((await inject({ host: 'app.example' })).statusCode, 403, 'an origin is no name of this service');
    await other.close();
  });
});

describe('who may come in', () => {
  it('without a good token: 401 with where to get one', async () => {
    for (const path of ['/mcp', '/v3/mcp']) {
      for (const token of [null, 'stayd_pat_000000000000000000000000000000000000']) {
        for (const [method, body] of [
          ['POST', INITIALIZE],
          ['GET', undefined],
          ['DELETE', undefined],
        ] as const) {
          const { status, headers } = await rawRequest(url, body, { token, path, method });
          assert.equal(status, 401, `${method} ${path}`);
          const challenge = headers.get('www-authenticate') ?? '';
          assert.match(challenge, /^Bearer error="invalid_token"/);
          const metadata = `resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource${path}"`;
          assert.ok(challenge.includes(metadata), challenge);
        }
      }
    }
  });

  it('a token in the address is none', async () => {
    const { status } = await rawRequest(url, INITIALIZE, { path: `/mcp?access_token=${core.own.token}` });
    assert.equal(status, 401);
  });

  it('the dedicated header works too', async () => {
    const headers = { 'service-access-token': core.own.token };
    assert.equal((await rawRequest(url, message('ping'), { headers })).status, 200);
  });

  it('a read-only token calls a tool that writes: 403 insufficient_scope with all that is needed (S12)', async () => {
    const call = { name: 'create_property_tag', arguments: { name: 'no' } };
    for (const answer of [
      await modern('tools/call', call, { token: core.own.readToken }),
      await raw(message('tools/call', call), { token: core.own.readToken }),
      await raw([message('ping'), message('tools/call', call)], { token: core.own.readToken }),
    ]) {
      assert.equal(answer.status, 403);
      const challenge = answer.headers.get('www-authenticate') ?? '';
      assert.match(challenge, /^Bearer error="insufficient_scope".*scope="read write"/);
    }
    assert.equal((await core.call('listPropertyTags')).total, 0);
  });

  it('a read-only token sees 27 tools', async () => {
    const client = await mcpClient(url, { token: core.own.readToken });
    assert.equal((await client.listTools()).tools.length, 27);
    assert.equal(envelopeOf(await callTool(client, 'search_properties')).error_code, 200);
    await client.close();
  });

  it('an account that may not ask: 403 at the beginning, an error of the tool later', async () => {
    const { account, token } = await core.addAccount('lapsed');
    const client = await mcpClient(url, { token });
    await core.core.store.db
      .updateTable('accounts')
      .set({ subscription: 'expired' })
      .where('account_id', '=', account.account_id)
      .execute();
    const result = await callTool(client, 'search_properties');
    assert.deepEqual([result.isError, envelopeOf(result).error_code], [true, 420]);
    assert.deepEqual(result.content, [
      {
        type: 'text',
        text: 'Error 420: Subscription expired. Nothing was changed. Calling again does not help: the operator must see to this.',
      },
    ]);
    await client.close();
    const { status, body } = await raw(INITIALIZE, { token });
    assert.deepEqual([status, body.error.message], [403, 'Subscription expired']);
  });
});

describe('sessions (S24)', () => {
  const asked = { ...INITIALIZE, params: { ...INITIALIZE.params, capabilities: { elicitation: {} } } };
  const begin = async (token = core.own.token) => (await raw(asked, { token })).headers.get('mcp-session-id') ?? '';
  const use = (id: string, token = core.own.token, more: object = {}): Promise<RawAnswer> =>
    raw(message('ping'), { token, headers: { 'mcp-session-id': id }, ...more });

  it('are given to those who can be asked, under 256 random bits', async () => {
    const ids = [await begin(), await begin()];
    for (const id of ids) assert.match(id, /^[\w-]{43}$/);
    assert.notEqual(ids[0], ids[1]);
    assert.equal((await use(ids[0] ?? '')).status, 200);
  });

  it('are found by their owner alone, and prove nothing', async () => {
    const id = await begin();
    const other = await core.addAccount('neighbour');
    const sub = await core.addSubAccount(core.own.account, []);
    for (const token of [other.token, other.readToken, sub]) assert.equal((await use(id, token)).status, 404);
    assert.equal((await rawRequest(url, message('ping'), { headers: { 'mcp-session-id': id } })).status, 401);
    assert.equal((await use('x')).status, 404);
    assert.equal((await use(id, other.token, { method: 'DELETE' })).status, 404);
    assert.equal((await use(id)).status, 200, 'still there');
  });

  it('do not lend the scope of the token that began them', async () => {
    const id = await begin();
    const call = message('tools/call', { name: 'create_property_tag', arguments: { name: 'no' } });
    const headers = { 'mcp-session-id': id };
    assert.equal((await raw(call, { token: core.own.readToken, headers })).status, 403);
    const { body } = await raw(message('tools/list'), { token: core.own.readToken, headers });
    assert.equal(body.result.tools.length, 27);
  });

  it('end when they are told to, when nobody used them for long, and when their owner has too many', async () => {
    const ended = await begin();
    assert.equal((await raw(undefined, { method: 'DELETE', headers: { 'mcp-session-id': ended } })).status, 200);
    assert.equal((await use(ended)).status, 404);
    const idle = await begin();
    core.clock.jump(12 * 3_600_000 - 1);
    assert.equal((await use(idle)).status, 200);
    core.clock.jump(12 * 3_600_000);
    assert.equal((await use(idle)).status, 404);
    const first = await begin();
    const second = await begin();
    await use(first);
    for (let i = 0; i < 19; i += 1) await begin();
    assert.deepEqual([(await use(first)).status, (await use(second)).status], [200, 404], 'the least recently used');
  });
});

describe('limits are those of REST', () => {
  it('a call counts as the operation it stands for, anything else under one name', async () => {
    const limited = await startCore(undefined, undefined, 'on');
    const at = await limited.app.listen({ port: 0, host: '127.0.0.1' });
    const token = limited.own.token;
    const ask = (method: string, params = {}) => modernRequest(at, method, params, { token });
    const count = (bucket: string) =>
      limited.counters
        .usage(limited.own.account.account_id)
        .find((one) => one.bucket === bucket && one.window_seconds === 60)?.count ?? 0;
    const create = { name: 'create_reservation', arguments: {} };
    await ask('tools/list');
    await ask('server/discover');
    await rawRequest(at, '{', { token });
    await ask('tools/call', create);
    await limited.request('POST', '/reservations', { body: {} });
    assert.equal(count('POST /mcp'), 3);
    assert.equal(count('POST /reservations'), 2);
    assert.equal(count('account'), 5);
    for (let i = 0; i < 58; i += 1) await limited.request('POST', '/reservations', { body: {} });
    const { status, body } = await ask('tools/call', create);
    assert.equal(status, 200);
    assert.equal(body.result.structuredContent.error_code, 429);
    assert.match(body.result.content[0].text, /^Error 429: Too Many Attempts\. Nothing was changed\. Wait \d+ seconds/);
    await limited.close();
  });

  it('what is no call and has no room: 429 with the headers of REST', async () => {
    const limited = await startCore(undefined, undefined, 'on');
    const at = await limited.app.listen({ port: 0, host: '127.0.0.1' });
    const asker = { account: limited.own.account, token: null };
    for (let i = 0; i < 600; i += 1) limited.counters.admit(asker, 'POST /mcp', 'default');
    const { status, headers, body } = await modernRequest(at, 'tools/list', {}, { token: limited.own.token });
    assert.deepEqual([status, body.error.message], [429, 'Too Many Attempts.']);
    assert.match(headers.get('retry-after') ?? '', /^\d+$/);
    assert.equal(headers.get('x-ratelimit-scope'), 'endpoint');
    await limited.close();
  });
});

describe('when it stops', () => {
  it('ends open streams of sessions, so that nothing keeps it', async () => {
    const stopping = await startCore();
    const at = await stopping.app.listen({ port: 0, host: '127.0.0.1' });
    const token = stopping.own.token;
    const asked = { ...INITIALIZE, params: { ...INITIALIZE.params, capabilities: { elicitation: {} } } };
    const id = (await rawRequest(at, asked, { token })).headers.get('mcp-session-id') ?? '';
    const stream = await fetch(`${at}/mcp`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'mcp-session-id': id },
    });
    assert.equal(stream.headers.get('content-type'), 'text/event-stream');
    assert.equal(stream.headers.get('x-accel-buffering'), 'no', 'no proxy keeps it back');
    const ended = stream.text();
    await stopping.close();
    assert.equal(await ended, '');
  });
});
