import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { instantOf } from '../../../src/kernel/dates.ts';
import { nearTransactionsScan } from '../../../src/sync/scans/resources/transactions.ts';
import { reservationEvent } from '../../support/events.ts';
import { CONNECTION, openWorld, type World, type WorldOptions } from '../../support/mirror.ts';
import { makeStay } from '../../support/rows.ts';
import { Truth } from '../../support/truth.ts';

const HEADER = 'service-webhook-secret-token';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const URL_HERE = 'http://127.0.0.1:1/hooks/local';

async function world(t: TestContext, options: WorldOptions = {}): Promise<World> {
  const w = await openWorld(options);
  t.after(() => w.close());
  return w;
}

/** Time passes, and what comes due in it comes to its end. */
async function pass(w: World, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= MINUTE_MS) {
    await w.clock.advance(Math.min(left, MINUTE_MS) - 50);
    await w.clock.run(50);
  }
}

function registrations(truth: Truth): number {
  return truth.asked.filter(({ method, path }) => method === 'POST' && path === '/webhooks').length;
}

/** What is wrong; that a deployment leaves fields out is not. */
async function troubles(w: World) {
  return (await w.daemon.status(CONNECTION)).troubles.filter(({ about }) => about !== 'unknown fields');
}

async function deliver(w: World, id: number, path?: string): Promise<number> {
  const body = Buffer.from(JSON.stringify(reservationEvent(makeStay(id))));
  let status = 0;
  void w.daemon
    .accept(CONNECTION, body, { [HEADER]: w.truth.secret() }, path)
    ?.then((answer) => (status = answer.status));
  await w.clock.until(() => status !== 0, 'an answer');
  return status;
}

test('a webhook that was deleted there is registered again within a quarter of a day, and all is caught up', async (t) => {
  const w = await world(t);
  w.truth.webhooks.clear();
  w.truth.put(makeStay(1));
  await pass(w, 6 * HOUR_MS + MINUTE_MS);
  assert.equal(w.truth.webhooks.size, 1);
  await w.clock.until(async () => (await w.daemon.status(CONNECTION)).catch_up_due === null, 'a catch-up');
  assert.equal((await w.store.db.selectFrom('stays').select('id').execute()).length, 1, 'what nobody told of');
  assert.equal(await deliver(w, 1), 200);
});

test('one that a reading of the list does not find is registered again at once', async (t) => {
  const w = await world(t);
  w.truth.webhooks.clear();
  let done = false;
  void w.daemon.reconcile(CONNECTION, 'webhook').then(() => (done = true));
  await w.clock.until(() => done, 'a reconciliation');
  await pass(w, MINUTE_MS);
  assert.equal(w.truth.webhooks.size, 1);
});

test('one that is switched off there is replaced', async (t) => {
  const w = await world(t);
  for (const one of w.truth.webhooks.values()) one.enabled = false;
  const [before] = w.truth.webhooks.keys();
  await pass(w, 6 * HOUR_MS + MINUTE_MS);
  assert.equal(w.truth.webhooks.size, 1);
  assert.equal(w.truth.webhooks.has(before ?? 0), false);
  assert.equal(await deliver(w, 1), 200);
});

test('a refusal is asked about again, ever more seldom, while everything is read; and status says it', async (t) => {
  const truth = new Truth();
  truth.put(makeStay(1));
  let refuses = true;
  truth.fault = ({ method, path }) =>
    refuses && method === 'POST' && path === '/webhooks' ? { kind: 'code', code: 422 } : undefined;
  const w = await world(t, { truth });
  assert.equal((await w.store.db.selectFrom('stays').select('id').execute()).length, 1);
  const [trouble] = (await w.daemon.status(CONNECTION)).troubles;
  assert.equal(trouble?.about, 'webhook');
  assert.match(trouble?.says ?? '', /not registered .*422/);
  assert.match(trouble?.remedy ?? '', /\.\/stayd webhook register/);
  await pass(w, HOUR_MS);
  const asked = registrations(truth);
  assert.ok(asked >= 4 && asked <= 6, `${asked} in an hour`);
  refuses = false;
  const note = await register(w);
  assert.equal(note, 'registered');
  assert.deepEqual(await troubles(w), []);
  assert.equal(await deliver(w, 1), 200);
});

async function register(w: World, force = false): Promise<string> {
  let state = '';
  void w.daemon.register(CONNECTION, force).then((note) => (state = note.state));
  await w.clock.until(() => state !== '', 'a registration');
  return state;
}

test('a webhook that is listed and silent, while readings find what it should have told, is made again once a day', async (t) => {
  const tiers = [{ scan: nearTransactionsScan, maxAgeMs: HOUR_MS, reason: 'test' }];
  const w = await world(t, { settings: { tiers } });
  const [before] = w.truth.webhooks.keys();
  const at = instantOf(w.clock.now() + 1_000);
  for (let seq = 1; seq <= 6; seq += 1) {
    await w.store.db
      .insertInto('lost_events')
      .values({
        connection: CONNECTION,
        seq,
        event: 'transaction_created',
        sub_event: '',
        position: 0,
        resource: 'transaction',
        key: String(seq),
        part: null,
        days: null,
        scan_id: null,
        event_id: null,
        came_at: null,
        late_ms: null,
        state: 'lost',
        since: at,
        seen_at: at,
        seen_by: 'scan',
      })
      .execute();
  }
  assert.match((await w.daemon.status(CONNECTION)).troubles[0]?.says ?? '', /registered, and readings find changes/);
  await pass(w, 25 * HOUR_MS);
  assert.equal(w.truth.webhooks.has(before ?? 0), false);
  assert.equal(w.truth.webhooks.size, 1);
  assert.equal(registrations(w.truth), 2);
});

test('where registering tells no secret, it is done once, and status says what to do', async (t) => {
  const truth = new Truth();
  truth.tellsNoSecret = true;
  const w = await world(t, { truth });
  await pass(w, 13 * HOUR_MS);
  assert.equal(registrations(truth), 1);
  assert.equal(truth.webhooks.size, 1);
  const [trouble] = (await w.daemon.status(CONNECTION)).troubles;
  assert.match(trouble?.says ?? '', /no operation has returned its secret/);
  assert.match(trouble?.remedy ?? '', /webhook_secret.*trust_first_secret/);
  await w.restart();
  assert.equal(registrations(truth), 1, 'nor at the next start');
  assert.equal(await deliver(w, 1), 401, 'nobody is trusted unasked');
});

test('the secret of the configuration is taken for a webhook that we have registered', async (t) => {
  const truth = new Truth();
  truth.tellsNoSecret = true;
  const webhook = { proof: 'token' as const, url: URL_HERE };
  const settings = { webhook: webhook as typeof webhook & { secret?: string } };
  const w = await world(t, { truth, settings });
  settings.webhook.secret = truth.secret();
  await w.restart();
  assert.deepEqual(await troubles(w), []);
  assert.equal(await deliver(w, 1), 200);
  truth.webhooks.clear();
  await pass(w, 6 * HOUR_MS + MINUTE_MS);
  assert.equal(truth.webhooks.size, 1, 'and it is still looked after');
});

test('the first secret is trusted where the connection says so, at the URL nobody can guess, and none after it', async (t) => {
  const truth = new Truth();
  truth.tellsNoSecret = true;
  const w = await world(t, { truth, settings: { webhook: { proof: 'token', url: URL_HERE, trustFirst: true } } });
  const url = new URL([...truth.webhooks.values()][0]?.url ?? '');
  const path = /^\/hooks\/local\/([A-Za-z0-9_-]{32})$/.exec(url.pathname)?.[1];
  assert.ok(path, url.pathname);
  assert.equal(await deliver(w, 1), 401, 'the old address says nothing about who sends');
  assert.equal(await deliver(w, 1, `${path.slice(1)}x`), 401);
  await w.clock.run(6_000);
  assert.equal(await deliver(w, 1, path), 200);
  const stored = await w.store.db.selectFrom('connections').select('webhook_secret').executeTakeFirst();
  assert.doesNotMatch(stored?.webhook_secret ?? '', /whsec_/, 'sealed');
  assert.equal(await deliver(w, 2), 200, 'the secret counts at the old address too');
  const own = truth.secret();
  for (const one of truth.webhooks.values()) one.secret = `${own} of another`;
  await w.clock.run(6_000);
  assert.equal(await deliver(w, 3, path), 401, 'a second one is not trusted');
  for (const one of truth.webhooks.values()) one.secret = own;
  await w.restart();
  assert.equal(registrations(truth), 1);
  assert.equal(await deliver(w, 4, path), 200);
  assert.deepEqual(await troubles(w), []);
});
