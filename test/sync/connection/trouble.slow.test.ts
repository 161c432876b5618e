import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { reservationEvent } from '../../support/events.ts';
import { CONNECTION, openWorld, type World, type WorldOptions } from '../../support/mirror.ts';
import { makeStay } from '../../support/rows.ts';
import { type Fault, Truth } from '../../support/truth.ts';

async function world(t: TestContext, options: WorldOptions = {}): Promise<World> {
  const opened = await openWorld(options);
  t.after(() => opened.close());
  return opened;
}

const MINUTE = 60_000;

async function minutes(w: World, count: number): Promise<void> {
  for (let minute = 0; minute < count; minute += 1) {
    await w.clock.advance(MINUTE - 50);
    await w.clock.run(50);
  }
}

for (const [name, code, least, most] of [
  ['a revoked token', 401, 7, 8],
  ['an expired subscription', 420, 3, 4],
] as const) {
  test(`${name} pauses reading, not receiving, and few requests ask whether it is over`, async (t) => {
    const w = await world(t);
    w.truth.fault = () => ({ kind: 'code', code });
    for (let id = 1; id <= 20; id += 1) w.truth.put(makeStay(id));
    await Promise.all(Array.from({ length: 20 }, (_, index) => w.send(reservationEvent(makeStay(index + 1)))));
    await w.clock.until(async () => (await w.daemon.status(CONNECTION)).state === 'paused', 'a pause');
    // What was under way comes to an end.
    await w.clock.run(200);
    const asked = w.truth.count();
    assert.equal(await w.send(reservationEvent(makeStay(1))), 200);
    await minutes(w, 59);
    const probes = w.truth.count() - asked;
    assert.ok(probes >= least && probes <= most, `${probes} probes`);
    assert.match((await w.daemon.status(CONNECTION)).reason ?? '', new RegExp(String(code)));
    w.truth.fault = () => undefined;
    await minutes(w, 15);
    await w.quiet();
    assert.equal((await w.daemon.status(CONNECTION)).state, 'active');
    assert.equal((await w.store.db.selectFrom('stays').select('id').execute()).length, 20);
    await w.clock.until(async () => (await w.daemon.status(CONNECTION)).catch_up_due === null, 'a catch-up');
  });
}

test('a minute of refused tokens costs less than three of stillness', async (t) => {
  const w = await world(t);
  w.truth.fault = () => ({ kind: 'code', code: 401 });
  w.truth.put(makeStay(1));
  const began = w.clock.now();
  await w.send(reservationEvent(makeStay(1)));
  await w.clock.until(async () => (await w.daemon.status(CONNECTION)).state === 'paused', 'a pause');
  const asked = w.truth.count();
  const seconds = async (count: number) => {
    await w.clock.advance(count * 1_000 - 100);
    await w.clock.run(100);
  };
  for (let ten = 0; ten < 6; ten += 1) await seconds(10);
  assert.equal(w.truth.count() - asked, 2, 'after 10 and 40 seconds');
  w.truth.fault = () => undefined;
  while ((await w.daemon.status(CONNECTION)).state !== 'active' && w.clock.now() - began < 10 * MINUTE)
    await seconds(10);
  assert.ok(w.clock.now() - began < 3 * MINUTE);
  await w.quiet();
  assert.equal((await w.store.db.selectFrom('stays').select('id').execute()).length, 1);
});

test('while reading is paused, status says since when, why, and when it is tried again', async (t) => {
  const w = await world(t);
  assert.equal((await w.daemon.status(CONNECTION)).paused, null);
  w.truth.fault = () => ({ kind: 'code', code: 420 });
  w.truth.put(makeStay(1));
  await w.send(reservationEvent(makeStay(1)));
  await w.clock.until(async () => (await w.daemon.status(CONNECTION)).state === 'paused', 'a pause');
  const since = new Date(w.clock.now()).toISOString().slice(0, 16);
  await minutes(w, 5);
  const { paused } = await w.daemon.status(CONNECTION);
  assert.equal(paused?.since.slice(0, 16), since);
  assert.match(paused?.because ?? '', /420/);
  assert.ok(paused && (paused.next_try_in ?? 0) > 590 && (paused.next_try_in ?? 0) <= 600, JSON.stringify(paused));
});

test('upstream being down while reading is paused does not change why it is', async (t) => {
  const w = await world(t);
  w.truth.fault = () => ({ kind: 'code', code: 401 });
  await w.send(reservationEvent(makeStay(1)));
  await w.clock.until(async () => (await w.daemon.status(CONNECTION)).state === 'paused', 'a pause');
  w.truth.fault = () => ({ kind: 'status', status: 502 });
  await minutes(w, 16);
  assert.match((await w.daemon.status(CONNECTION)).reason ?? '', /401/);
});

test('a start while reading is paused asks once, and then every 15 minutes', async (t) => {
  const w = await world(t, { impatient: true });
  w.truth.fault = () => ({ kind: 'code', code: 401 });
  await w.clock.until(async () => (await w.daemon.status(CONNECTION)).state === 'paused', 'a pause');
  await w.clock.run(200);
  const asked = w.truth.count();
  await w.restart();
  await minutes(w, 44);
  assert.equal(w.truth.count() - asked, 3);
});

test('authorization_revoked stops reading at once; access that is back brings a registration and a catch-up', async (t) => {
  const w = await world(t);
  w.truth.fault = () => ({ kind: 'code', code: 401 });
  const asked = w.truth.count();
  const revoked = { event: 'authorization_revoked', event_id: '01KREVOKED', account_id: 'acc', client_id: 'app' };
  assert.equal(await w.send(revoked), 200, 'it is proven by the secret of the registration that is gone');
  await w.clock.until(async () => (await w.daemon.status(CONNECTION)).state === 'paused', 'a pause');
  assert.match((await w.daemon.status(CONNECTION)).reason ?? '', /authorization_revoked/);
  await minutes(w, 14);
  assert.equal(w.truth.count(), asked, 'nothing is asked for a quarter of an hour');
  w.truth.webhooks.clear();
  w.truth.put(makeStay(1));
  w.truth.fault = () => undefined;
  await minutes(w, 2);
  await w.clock.until(async () => (await w.daemon.status(CONNECTION)).catch_up_due === null, 'a catch-up');
  assert.equal((await w.store.db.selectFrom('stays').select('id').execute()).length, 1);
  assert.equal(w.truth.webhooks.size, 1);
  w.truth.put(makeStay(2));
  assert.equal(await w.send(reservationEvent(makeStay(2))), 200, 'the new secret is known');
});

test('after a 429 nothing is asked before Retry-After ends', async (t) => {
  const w = await world(t);
  let limited = true;
  w.truth.fault = () => (limited ? { kind: 'code', code: 429, retryAfter: 40, scope: 'user' } : undefined);
  for (let id = 1; id <= 5; id += 1) {
    w.truth.put(makeStay(id));
    await w.send(reservationEvent(makeStay(id)));
  }
  await w.clock.until(() => w.truth.asked.at(-1)?.path === '/reservations');
  await w.clock.run(200);
  const asked = w.truth.count();
  await w.clock.run(39_000);
  assert.equal(w.truth.count(), asked, 'nobody asked before it ended');
  limited = false;
  await w.quiet();
  assert.equal((await w.store.db.selectFrom('stays').select('id').execute()).length, 5);
});

const broken: [string, Fault][] = [
  ['a server error', { kind: 'code', code: 500 }],
  ['an unknown code', { kind: 'code', code: 777 }],
  ['a proxy in trouble', { kind: 'status', status: 502 }],
  ['a page of HTML', { kind: 'html' }],
  ['an answer cut off', { kind: 'cut' }],
  ['an answer without data', { kind: 'data', data: null }],
  ['data of another form', { kind: 'data', data: { reservations: 'none', total: 0 } }],
];
for (const [name, fault] of broken) {
  test(`${name} writes nothing and is tried again`, async (t) => {
    const w = await world(t);
    w.truth.put(makeStay(1));
    w.truth.fault = (asked) => (asked.path === '/reservations' ? fault : undefined);
    await w.send(reservationEvent(makeStay(1)));
    await w.clock.run(5_000);
    assert.equal((await w.store.db.selectFrom('stays').select('id').execute()).length, 0);
    const [dirty] = await w.store.db.selectFrom('dirty_keys').select(['attempts', 'problem']).execute();
    assert.ok((dirty?.attempts ?? 0) >= 2);
    assert.ok(dirty?.problem);
    w.truth.fault = () => undefined;
    await w.quiet();
    assert.equal((await w.store.db.selectFrom('stays').select('id').execute()).length, 1);
  });
}

test('one poison key does not hold up the others, and is given up after ten tries and a day', async (t) => {
  const w = await world(t);
  const poison = (code: string | null) => code === '5-R000001';
  w.truth.fault = (asked) => (poison(asked.query.get('reservation_code')) ? { kind: 'code', code: 422 } : undefined);
  for (let id = 1; id <= 10; id += 1) {
    w.truth.put(makeStay(id));
    await w.send(reservationEvent(makeStay(id)));
  }
  await w.clock.until(async () => (await w.store.db.selectFrom('stays').select('id').execute()).length === 9);
  // The day passes in big steps: what matters is when the key's next try is due.
  for (let tries = 0; tries < 20; tries += 1) {
    const [key] = await w.store.db.selectFrom('dirty_keys').selectAll().execute();
    if (key?.state !== 'waiting') break;
    await w.clock.advance(Math.max(0, Date.parse(key.next_at) - w.clock.now()));
    await w.clock.until(async () => {
      const [now] = await w.store.db.selectFrom('dirty_keys').selectAll().execute();
      return now?.state === 'dead' || (now?.attempts ?? 0) > key.attempts;
    });
  }
  const [dead] = await w.store.db.selectFrom('dirty_keys').selectAll().execute();
  assert.equal(dead?.state, 'dead');
  assert.ok((dead?.attempts ?? 0) >= 10);
  assert.ok(w.clock.now() - Date.parse(dead?.first_marked_at ?? '') >= 24 * 60 * MINUTE);
  assert.deepEqual((await w.daemon.status(CONNECTION)).dead, { reservation: 1 });
  w.truth.fault = () => undefined;
  await w.send(reservationEvent(makeStay(1)));
  await w.quiet();
  assert.equal((await w.store.db.selectFrom('stays').select('id').execute()).length, 10);
});

test('a token that may only read: everything is scanned, and the operator is told the URL', async (t) => {
  const truth = new Truth();
  truth.readOnly = true;
  truth.put(makeStay(1));
  const w = await world(t, { truth });
  assert.equal(truth.webhooks.size, 0);
  assert.equal((await w.store.db.selectFrom('stays').select('id').execute()).length, 1);
  assert.equal((await w.daemon.status(CONNECTION)).state, 'active');
});

test('a webhook made by hand is believed by the secret of the configuration', async (t) => {
  const secret = 'a secret from the portal';
  const w = await world(t, {
    settings: { webhook: { proof: 'token', url: 'http://127.0.0.1:1/hooks/local', secret } },
  });
  assert.equal(w.truth.webhooks.size, 0);
  w.truth.put(makeStay(1));
  const body = Buffer.from(JSON.stringify(reservationEvent(makeStay(1))));
  let status = 0;
  void w.daemon
    .accept(CONNECTION, body, { 'service-webhook-secret-token': secret })
    ?.then((answer) => (status = answer.status));
  await w.clock.until(() => status !== 0);
  assert.equal(status, 200);
  await w.quiet();
  assert.equal((await w.store.db.selectFrom('stays').select('id').execute()).length, 1);
});

test('a registration of our URL whose secret we lack is replaced', async (t) => {
  const truth = new Truth();
  truth.webhooks.set(900, { id: 900, url: 'http://127.0.0.1:1/hooks/local', secret: 'whsec_unknown' });
  truth.webhooks.set(901, { id: 901, url: 'http://127.0.0.1:1/hooks/other', secret: 'whsec_other' });
  const w = await world(t, { truth });
  assert.equal(truth.webhooks.has(900), false);
  assert.equal(truth.webhooks.has(901), true);
  assert.equal(truth.webhooks.size, 2);
  truth.put(makeStay(1));
  assert.equal(await w.send(reservationEvent(makeStay(1))), 200);
  await w.quiet();
  const stored = await w.store.db.selectFrom('connections').select('webhook_secret').executeTakeFirst();
  assert.doesNotMatch(stored?.webhook_secret ?? '', /whsec_/);
});
