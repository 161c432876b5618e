import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CallError } from '../../src/client/callError.ts';
import { refreshByJson } from '../../src/client/refreshByJson.ts';
import { profileSchema } from '../../src/contract/dialect/profile.ts';
import { startUpstream } from '../foreign/upstream/upstream.ts';

const profile = profileSchema.parse({ oauth: { by: 'json' } });
const refresh = refreshByJson('test', profile, new AbortController().signal);

async function failureOf(work: Promise<unknown>): Promise<CallError> {
  const failed = await work.catch((error: unknown) => error);
  assert.ok(failed instanceof CallError, String(failed));
  return failed;
}

/** A server that answers always the same. */
async function answering(t: TestContext, status: number, body: string): Promise<string> {
  const server = createServer((_request, response) => void response.writeHead(status).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const client = (issuer: string) => ({ issuer, clientId: 'partner', clientSecret: 'partner-secret' });

test('tokens come from a service that knows JSON alone, and the old refresh token is dead', async (t) => {
  const upstream = await startUpstream({ dialect: 'hostex', now: () => 0, after() {} });
  t.after(() => upstream.close());
  const { refreshToken } = upstream.tokens.issue();
  const given = await refresh(client(upstream.url), refreshToken);
  assert.ok(upstream.tokens.isGood(given.accessToken));
  assert.equal(given.expiresInMs, 7 * 86_400_000);
  const dead = await failureOf(refresh(client(upstream.url), refreshToken));
  assert.deepEqual([dead.client, dead.code], ['host', 401]);
  assert.ok(upstream.tokens.isGood((await refresh(client(upstream.url), given.refreshToken ?? '')).accessToken));
});

test('an answer without the envelope is taken, and one that says nothing of a new refresh token', async (t) => {
  const url = await answering(t, 200, '{"access_token": "a", "expires_in": "60"}');
  assert.deepEqual(await refresh(client(url), 'r'), { accessToken: 'a', refreshToken: null, expiresInMs: 60_000 });
});

for (const [what, status, body, remedy] of [
  ['a page', 200, '<html>', 'retry'],
  ['a list', 200, '[]', 'retry'],
  ['no token', 200, '{"error_code": 200, "data": {}}', 'retry'],
  ['an outage', 502, '{"error": "bad gateway"}', 'retry'],
  ['a limit', 200, '{"error_code": 429, "error_msg": "Too many"}', 'wait'],
  ['a bare refusal', 400, '{"error": "invalid_grant"}', 'host'],
] as const) {
  test(`${what}: ${remedy}`, async (t) => {
    const failed = await failureOf(refresh(client(await answering(t, status, body)), 'secret-token'));
    assert.equal(failed.client, remedy);
    assert.doesNotMatch(failed.message, /secret-token/);
  });
}
