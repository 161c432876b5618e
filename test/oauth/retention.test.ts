import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { authenticate } from '../../src/core/accounts/authenticate.ts';
import { instantOf } from '../../src/kernel/dates.ts';
import { allowed, readAuthorization } from '../../src/oauth/authorize.ts';
import { retire } from '../../src/oauth/retention.ts';
import { disconnect } from '../../src/oauth/revoke.ts';
import type { StoreLocation } from '../../src/store/store.ts';
import { oauthOf, startCore, type TestCore } from '../support/core.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { type Given, opens, pkcePair, post, REDIRECT, refresh, register, type Registered } from './support/flow.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
const { verifier, challenge } = pkcePair();

interface Stage {
  core: TestCore;
  client: Registered;
}

async function stage(t: TestContext, location?: StoreLocation): Promise<Stage> {
  const core = await startCore(location);
  t.after(() => core.close());
  return { core, client: await register(oauthOf(core.core)) };
}

const reconciliation = ({ core }: Stage, signal = new AbortController().signal) =>
  retire(oauthOf(core.core), { days: DAYS, signal });
const tables = ['oauth_grants', 'oauth_codes', 'oauth_tokens', 'oauth_clients', 'oauth_failures'] as const;

/** How many rows each table has. */
async function counts({ core }: Stage): Promise<Record<string, number>> {
  const counted = tables.map(async (table) => {
    const rows = await core.core.store.db.selectFrom(table).selectAll().execute();
    return [table.slice('oauth_'.length), rows.length] as const;
  });
  return Object.fromEntries(await Promise.all(counted));
}

/** A person allows it; what comes of the code is the test's affair. */
async function codeOf({ core, client }: Stage): Promise<string> {
  const oauth = oauthOf(core.core);
  const who = await authenticate(core.core.store.db, core.own.token, core.clock.now());
  const { client_id } = client;
  const query = { client_id, response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256' };
  const named = new URLSearchParams({ ...query, redirect_uri: REDIRECT });
  const asked = await readAuthorization(oauth, named, { mayFetch: false });
  return new URL(await allowed(oauth, asked, who)).searchParams.get('code') ?? '';
}

function exchange({ core, client }: Stage, code: string) {
  const fields = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: REDIRECT };
  return post(core, '/oauth/token', { ...client, ...fields });
}

async function connect(on: Stage): Promise<Given> {
  const answer = await exchange(on, await codeOf(on));
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json<Given>();
}

const errorOf = (answer: { json(): unknown }): unknown => (answer.json() as { error?: string }).error;

async function everything(t: TestContext, location?: StoreLocation): Promise<void> {
  const on = await stage(t, location);
  const { core, client } = on;
  const lasting = await connect(on);
  const next = (await refresh(core, client, lasting.refresh_token)).json<Given>();
  const ended = await connect(on);
  await post(core, '/oauth/revoke', { ...client, token: ended.refresh_token });
  await codeOf(on);
  assert.deepEqual(await counts(on), { grants: 3, codes: 3, tokens: 6, clients: 1, failures: 0 });

  core.clock.jump(DAYS * DAY_MS);
  await reconciliation(on);
  assert.deepEqual(await counts(on), { grants: 3, codes: 3, tokens: 6, clients: 1, failures: 0 }, 'to the day');
  core.clock.jump(60_001);
  await reconciliation(on);
  const left = { grants: 1, codes: 1, tokens: 4, clients: 1, failures: 0 };
  assert.deepEqual(await counts(on), left, 'what was ended, and what nobody exchanged');
  core.clock.jump(7 * DAY_MS);
  await reconciliation(on);
  assert.deepEqual(await counts(on), { ...left, tokens: 2 }, 'access tokens; the used refresh token stays');

  const again = await refresh(core, client, next.refresh_token);
  assert.equal(again.statusCode, 200);
  assert.equal(errorOf(await refresh(core, client, lasting.refresh_token)), 'invalid_grant');
  assert.equal(await opens(core, again.json<Given>().access_token), false, 'its reuse is seen, however late');
  core.clock.jump(DAYS * DAY_MS + 1);
  await reconciliation(on);
  assert.deepEqual(await counts(on), { grants: 0, codes: 0, tokens: 0, clients: 1, failures: 0 });
}

describe('what applications hold no longer', () => {
  it('is deleted when it has been over for long enough; what shows a second use stays while there is a first', (t) =>
    everything(t));

  it('a code that was exchanged is remembered for as long as what it brought', async (t) => {
    const on = await stage(t);
    const code = await codeOf(on);
    const given = (await exchange(on, code)).json<Given>();
    on.core.clock.jump(200 * DAY_MS);
    await reconciliation(on);
    const next = (await refresh(on.core, on.client, given.refresh_token)).json<Given>();
    assert.ok(await opens(on.core, next.access_token));
    assert.equal(errorOf(await exchange(on, code)), 'invalid_grant');
    assert.equal(await opens(on.core, next.access_token), false);
  });

  it('what was allowed for a year is ended after it: the application is disconnected, and told once', async (t) => {
    const on = await stage(t);
    const { core, client } = on;
    const first = await connect(on);
    core.clock.jump(DAY_MS);
    const second = await connect(on);
    const other = await register(oauthOf(core.core), { name: 'Other' });
    const theirs = await connect({ core, client: other });
    for (const { access_token: token } of [first, theirs]) {
      await core.request('POST', '/webhooks', { token, body: { url: 'https://hooks.example/' } });
    }
    const told = async () =>
      (await core.events())
        .filter(({ event }) => event === 'authorization_revoked')
        .map((one) => String(one['client_id']));

    core.clock.jump(YEAR_MS - DAY_MS);
    await reconciliation(on);
    assert.deepEqual(await told(), [], 'it still has the second');
    await refresh(core, other, theirs.refresh_token);
    core.clock.jump(DAY_MS - 1);
    await reconciliation(on);
    assert.deepEqual(await told(), []);
    core.clock.jump(1);
    await reconciliation(on);
    await reconciliation(on);
    assert.deepEqual((await told()).toSorted(), [client.client_id, other.client_id].toSorted());
    assert.equal((await core.request('GET', '/webhooks')).data.webhooks.length, 0, 'nothing is sent there any more');
    assert.equal(errorOf(await refresh(core, client, second.refresh_token)), 'invalid_grant');
    core.clock.jump(DAYS * DAY_MS + 1);
    await reconciliation(on);
    assert.deepEqual(await counts(on), { grants: 0, codes: 0, tokens: 0, clients: 2, failures: 0 });
  });

  it('one that gave back all its tokens before is not told a second time', async (t) => {
    const on = await stage(t);
    const { core, client } = on;
    const { access_token, refresh_token } = await connect(on);
    for (const token of [access_token, refresh_token]) {
      await core.request('POST', '/oauth/revoke', { token: null, body: { ...client, token } });
    }
    const before = await core.events();
    assert.equal(before.length, 1);
    core.clock.jump(YEAR_MS);
    await reconciliation(on);
    assert.deepEqual(await core.events(), before);
  });

  it('applications that came by themselves go when nobody lets them in; those that somebody registered stay', async (t) => {
    const on = await stage(t);
    const { core } = on;
    const oauth = oauthOf(core.core);
    const { db } = core.core.store;
    const come = async (name: string, more: Partial<{ origin: 'dynamic' | 'document'; stale_at: string }>) => {
      const { client_id } = await register(oauth, { name });
      await db.updateTable('oauth_clients').set(more).where('client_id', '=', client_id).execute();
      return { client_id };
    };
    const used = await come('used', { origin: 'dynamic' });
    await come('unused', { origin: 'dynamic' });
    await come('described', { origin: 'document', stale_at: instantOf(core.clock.now() + DAY_MS) });
    await connect({ core, client: used });
    const names = async () =>
      (await db.selectFrom('oauth_clients').select('name').orderBy('name').execute()).map(({ name }) => name);

    core.clock.jump(DAYS * DAY_MS);
    await reconciliation(on);
    assert.deepEqual(await names(), ['Channel helper', 'described', 'unused', 'used']);
    core.clock.jump(1);
    await reconciliation(on);
    assert.deepEqual(await names(), ['Channel helper', 'described', 'used'], 'a description counts for its own time');
    core.clock.jump(DAY_MS);
    await reconciliation(on);
    assert.deepEqual(await names(), ['Channel helper', 'used']);
    await disconnect(oauth, { account: core.own.account, operator: null }, used.client_id);
    core.clock.jump(DAYS * DAY_MS + 1);
    await reconciliation(on);
    assert.deepEqual(await names(), ['Channel helper']);
  });

  it('guesses are forgotten when their ten minutes are over, and not before', async (t) => {
    const on = await stage(t);
    const { core } = on;
    const closed = await register(oauthOf(core.core), { kind: 'confidential' });
    const guess = () => refresh(core, { ...closed, client_secret: 'stayd_ocs_wrong' }, 'x');
    for (let i = 0; i < 10; i += 1) await guess();
    await reconciliation(on);
    assert.equal((await guess()).statusCode, 429);
    core.clock.jump(600_000);
    await reconciliation(on);
    assert.equal((await counts(on))['failures'], 0);
  });

  it('goes in transactions of 200 rows, and stops between them', async (t) => {
    const on = await stage(t);
    const { core } = on;
    await connect(on);
    const { db } = core.core.store;
    const [row] = await db.selectFrom('oauth_tokens').selectAll().execute();
    assert.ok(row);
    const expires_at = instantOf(core.clock.now() - 1);
    for (let i = 0; i < 450; i += 50) {
      const many = Array.from({ length: 50 }, (_, nth) => ({ ...row, hash: `hash ${i + nth}`, expires_at }));
      await db.insertInto('oauth_tokens').values(many).execute();
    }
    core.clock.jump(DAYS * DAY_MS);
    const left = async () => (await counts(on))['tokens'];
    let asked = 0;
    const { signal } = new AbortController();
    Object.defineProperty(signal, 'aborted', { get: () => (asked += 1) > 3 });
    await reconciliation(on, signal);
    assert.equal(await left(), 252);
    await reconciliation(on);
    assert.equal(await left(), 2);
  });
});

describeOnPostgres('what applications hold no longer, on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());

  it('is deleted like on SQLite', async (t) => {
    await everything(t, { kind: 'postgres', url: await server.freshDatabase(), schema: 'core' });
  });
});
