import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { availabilityEvent, reservationEvent, transactionEvent } from '../../support/events.ts';
import { CONNECTION, openWorld, type World, type WorldOptions } from '../../support/mirror.ts';
import { seededDice } from '../../../src/kernel/seeded.ts';
import { makeProperty, makeStay, makeTransaction } from '../../support/rows.ts';

async function world(t: TestContext, options: WorldOptions = {}): Promise<World> {
  const opened = await openWorld(options);
  t.after(() => opened.close());
  return opened;
}

const statusOfStay = async ({ store }: World, code: string) =>
  (await store.db.selectFrom('stays').select(['status', 'deleted_at']).where('stay_code', '=', code).execute())[0];

const changesOf = async ({ daemon }: World, resource: string) =>
  (await daemon.feed(CONNECTION).read(0, 1_000)).filter((change) => change.resource === resource);

test('a hundred parallel copies of an event have one effect', async (t) => {
  const w = await world(t);
  w.truth.put(makeStay(1));
  const event = reservationEvent(makeStay(1));
  const before = w.truth.count('/reservations');
  const body = Buffer.from(JSON.stringify(event));
  const headers = { 'service-webhook-secret-token': w.truth.secret() };
  const answers = Array.from({ length: 100 }, async () => w.daemon.accept(CONNECTION, body, headers));
  let done: unknown[] = [];
  void Promise.all(answers).then((all) => (done = all));
  await w.clock.until(() => done.length === 100);
  assert.ok(done.every((answer) => (answer as { status: number }).status === 200));
  await w.quiet();
  assert.equal((await w.store.db.selectFrom('inbox').selectAll().execute()).length, 1);
  assert.equal(w.truth.count('/reservations') - before, 1);
  assert.equal((await changesOf(w, 'reservation')).length, 1);
  const { counters } = await w.daemon.status(CONNECTION);
  assert.equal(counters['duplicates'], 99);
  assert.equal(counters['events'], 1);
});

test('a duplicate of an event that is done changes nothing', async (t) => {
  const w = await world(t);
  w.truth.put(makeStay(1));
  const event = reservationEvent(makeStay(1));
  await w.send(event);
  await w.quiet();
  const asked = w.truth.count();
  await w.send(event);
  await w.clock.run(3_000);
  assert.equal(w.truth.count(), asked);
  assert.equal((await changesOf(w, 'reservation')).length, 1);
});

test('one id with two bodies: the first is kept, both keys are read again', async (t) => {
  const w = await world(t);
  w.truth.put(makeStay(1), makeStay(2));
  const first = reservationEvent(makeStay(1));
  await w.send(first);
  await w.quiet();
  w.truth.patch(1, { status: 'cancelled' });
  await w.send({ ...reservationEvent(makeStay(2)), event_id: first.event_id });
  await w.quiet();
  assert.equal((await statusOfStay(w, '5-R000001'))?.status, 'cancelled');
  assert.equal((await statusOfStay(w, '5-R000002'))?.status, 'accepted');
  const [event] = await w.store.db.selectFrom('inbox').select('body').execute();
  assert.match(event?.body ?? '', /5-R000001/);
  assert.equal((await w.daemon.status(CONNECTION)).counters['id_conflict'], 1);
});

test('forged, malformed and unknown deliveries', async (t) => {
  const w = await world(t);
  const good = { 'service-webhook-secret-token': w.truth.secret() };
  const cases: [string, Record<string, string>, number][] = [
    ['{}', {}, 401],
    ['{}', { 'service-webhook-secret-token': 'wrong' }, 401],
    ['nonsense', good, 400],
    ['[]', good, 400],
    ['{"event_id":"A4"}', good, 400],
    [`{"event":"x","event_id":"${'A'.repeat(65)}"}`, good, 400],
    ['{"event":"x","event_id":"A B"}', good, 400],
    ['{"event":"something_new","event_id":"A1"}', good, 200],
    ['{"event":"authorization_revoked","event_id":"A2","account_id":"a","client_id":"c"}', good, 200],
    ['{"event":"reservation_created","event_id":"A3"}', good, 200],
  ];
  for (const [body, headers, status] of cases) {
    let answered = 0;
    void w.daemon.accept(CONNECTION, Buffer.from(body), headers)?.then((answer) => (answered = answer.status));
    await w.clock.until(() => answered !== 0);
    assert.equal(answered, status, body);
  }
  const rows = await w.store.db.selectFrom('inbox').select(['event_id', 'state']).orderBy('event_id').execute();
  assert.deepEqual(rows, [
    { event_id: 'A1', state: 'ignored' },
    { event_id: 'A2', state: 'ignored' },
    { event_id: 'A3', state: 'ignored' },
  ]);
  const { counters } = await w.daemon.status(CONNECTION);
  assert.equal(counters['unknown_kind'], 1);
  assert.equal(counters['ignored'], 2);
  assert.equal(w.daemon.accept('nobody', Buffer.from('{}'), good), undefined);
});

test('duplicated, reordered and delayed events end in the truth, without a scan', async (t) => {
  const w = await world(t);
  const random = seededDice(7).fraction;
  const queue: { at: number; event: ReturnType<typeof reservationEvent> }[] = [];
  const later = (event: ReturnType<typeof reservationEvent>) => {
    const copies = random() < 0.5 ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) queue.push({ at: w.clock.now() + random() * 2_000, event });
  };
  for (let step = 0; step < 60; step += 1) {
    const id = 1 + Math.floor(random() * 10);
    if (w.truth.stays.has(id)) {
      const status = random() < 0.3 ? 'cancelled' : 'accepted';
      later(reservationEvent(w.truth.patch(id, { status, number_of_guests: step + 1 })));
    } else {
      w.truth.put(makeStay(id));
      later(reservationEvent(makeStay(id), { event: 'reservation_created' }));
    }
    await w.clock.run(40);
    for (const due of queue.filter((one) => one.at <= w.clock.now())) {
      queue.splice(queue.indexOf(due), 1);
      await w.send(due.event);
    }
  }
  for (const { event } of queue) await w.send(event);
  await w.quiet();
  const rows = await w.store.db
    .selectFrom('stays')
    .select(['id', 'status', 'number_of_guests'])
    .orderBy('id')
    .execute();
  const truth = [...w.truth.stays.values()].map(({ id, status, number_of_guests }) => ({
    id,
    status,
    number_of_guests,
  }));
  assert.deepEqual(
    rows,
    truth.toSorted((a, b) => a.id - b.id),
  );
  const open = await w.store.db.selectFrom('inbox').select('event_id').where('state', '=', 'pending').execute();
  assert.equal(open.length, 0);
});

test('what dropped events have hidden is right after a reconcile', async (t) => {
  const w = await world(t);
  const random = seededDice(11).fraction;
  for (let id = 1; id <= 250; id += 1) w.truth.put(makeStay(id, { check_out_date: `2027-03-${10 + (id % 20)}` }));
  for (let id = 1; id <= 250; id += 1) {
    if (random() < 0.3) continue;
    await w.send(reservationEvent(makeStay(id)));
  }
  await w.quiet();
  assert.notEqual((await w.store.db.selectFrom('stays').select('id').execute()).length, 250);
  let results: unknown;
  void w.daemon.reconcile(CONNECTION, 'reservation').then((all) => (results = all));
  await w.clock.until(() => results !== undefined);
  assert.equal((await w.store.db.selectFrom('stays').select('id').execute()).length, 250);
  const found = (await changesOf(w, 'reservation')).filter((change) => change.seen_by === 'command');
  assert.ok(found.length > 30);
});

test('a late old answer does not overwrite a newer one', async (t) => {
  const w = await world(t);
  w.truth.put(makeStay(1, { number_of_guests: 1 }));
  let release: () => void = () => {};
  const until = new Promise<void>((resolve) => (release = resolve));
  let held = false;
  // A scan's answer, taken from the truth now, arrives only after the look-up of a later change.
  w.truth.fault = (asked) => {
    if (held || !asked.query.has('order_by')) return undefined;
    held = true;
    return { kind: 'late', until };
  };
  let scanned = false;
  void w.daemon.reconcile(CONNECTION, 'reservation').then(() => (scanned = true));
  await w.clock.until(() => held);
  w.truth.patch(1, { number_of_guests: 5 });
  await w.send(reservationEvent(makeStay(1)));
  await w.quiet();
  release();
  await w.clock.until(() => scanned);
  const [stay] = await w.store.db.selectFrom('stays').select('number_of_guests').execute();
  assert.equal(stay?.number_of_guests, 5);
});

test('an event before its change shows is answered by one more look', async (t) => {
  const w = await world(t);
  w.truth.put(makeStay(1));
  await w.send(reservationEvent(makeStay(1)));
  await w.quiet();
  const before = w.truth.count('/reservations');
  await w.send(reservationEvent(makeStay(1)));
  await w.clock.until(() => w.truth.count('/reservations') === before + 1);
  w.truth.patch(1, { status: 'cancelled' });
  await w.quiet();
  assert.equal(w.truth.count('/reservations'), before + 2);
  assert.equal((await statusOfStay(w, '5-R000001'))?.status, 'cancelled');
  const last = (await changesOf(w, 'reservation')).at(-1);
  assert.equal(last?.op, 'updated');
  assert.equal(last?.seen_by, 'event');
});

test('a burst for one key is one read, and every swallowed event stays linked', async (t) => {
  const w = await world(t);
  w.truth.put(makeStay(1));
  const before = w.truth.count('/reservations');
  const events = Array.from({ length: 20 }, () => reservationEvent(makeStay(1)));
  for (const event of events) await w.send(event);
  await w.quiet();
  assert.ok(w.truth.count('/reservations') - before <= 2);
  const [change] = await changesOf(w, 'reservation');
  const linked = JSON.parse(change?.event_ids ?? '[]') as string[];
  const rows = await w.store.db.selectFrom('inbox').select(['event_id', 'state']).execute();
  assert.ok(rows.every((row) => row.state === 'done'));
  assert.ok(linked.length >= 1);
  assert.equal(rows.length, 20);
});

test('a row that nothing names is quarantined, and the others go on', async (t) => {
  const w = await world(t);
  w.truth.put(makeStay(1), makeStay(2), makeStay(3, { number_of_guests: 'two' as unknown as number }));
  const { reservation_code: _, ...nameless } = { ...makeStay(2), stay_code: null };
  w.truth.fault = ({ query }) =>
    query.get('reservation_code') === '5-R000002'
      ? { kind: 'data', data: { reservations: [nameless], total: 1 } }
      : undefined;
  for (const id of [1, 2, 3]) await w.send(reservationEvent(makeStay(id)));
  await w.clock.until(async () => (await w.store.db.selectFrom('stays').select('id').execute()).length === 2);
  await w.clock.run(2_000);
  const [aside] = await w.store.db.selectFrom('quarantine').selectAll().execute();
  assert.equal(aside?.problem, 'stay_code: null');
  assert.doesNotMatch(aside?.raw ?? '', /Guest 2/);
  const dirty = await w.store.db.selectFrom('dirty_keys').select(['key', 'attempts', 'problem']).execute();
  assert.deepEqual(
    dirty.map((row) => row.key),
    ['5-R000002'],
  );
  assert.match(dirty[0]?.problem ?? '', /stay_code: null/);
  w.truth.fault = () => undefined;
  await w.send(reservationEvent(makeStay(2)));
  await w.clock.run(20 * 60_000);
  assert.equal((await statusOfStay(w, '5-R000002'))?.status, 'accepted');
});

test('what is gone upstream becomes a tombstone with its last state in the history', async (t) => {
  const w = await world(t);
  w.truth.transactions.set(9, makeTransaction(9));
  await w.send(transactionEvent(9));
  await w.quiet();
  w.truth.transactions.delete(9);
  await w.send(transactionEvent(9, 'transaction_deleted'));
  await w.quiet();
  const [row] = await w.store.db.selectFrom('transactions').selectAll().execute();
  assert.notEqual(row?.deleted_at, null);
  const changes = await changesOf(w, 'transaction');
  assert.deepEqual(
    changes.map((change) => [change.op, change.seen_by]),
    [
      ['created', 'event'],
      ['deleted', 'event'],
    ],
  );
  const [version] = await w.store.db.selectFrom('versions').selectAll().where('resource', '=', 'transaction').execute();
  assert.equal(version?.change_seq, changes[1]?.seq);
  w.truth.transactions.set(9, makeTransaction(9, { amount: 70 }));
  await w.send(transactionEvent(9));
  await w.quiet();
  const [back] = await w.store.db.selectFrom('transactions').selectAll().execute();
  assert.equal(back?.deleted_at, null);
  assert.equal(back?.amount_minor, 7_000);
});

test('an entry in the ledger also reads the booking whose balance it moves', async (t) => {
  const w = await world(t);
  const stay = makeStay(1);
  w.truth.put(stay);
  await w.send(reservationEvent(stay));
  await w.quiet();
  w.truth.patch(1, { payment: { ...stay.payment, received_amount: 300, balance_amount: 0, status: 'received' } });
  w.truth.transactions.set(5, makeTransaction(5, { reservation_code: stay.reservation_code, amount: 200 }));
  await w.send(transactionEvent(5));
  await w.quiet();
  const [row] = await w.store.db.selectFrom('reservations').select(['received_minor', 'payment_status']).execute();
  assert.deepEqual(row, { received_minor: 30_000, payment_status: 'received' });
});

test('a stay that left its booking is gone, and the booking is the sum of the others', async (t) => {
  const w = await world(t);
  const rooms = ['A', 'B', 'C'].map((room, index) =>
    makeStay(index + 1, { reservation_code: 'M-1', stay_code: `M-1-${room}`, number_of_guests: index + 1 }),
  );
  w.truth.put(...rooms);
  for (const room of rooms) await w.send(reservationEvent(room));
  await w.quiet();
  const total = () => w.store.db.selectFrom('reservations').select(['stays', 'number_of_guests']).executeTakeFirst();
  assert.deepEqual(await total(), { stays: 3, number_of_guests: 6 });
  w.truth.stays.delete(3);
  await w.send(reservationEvent(rooms[2] ?? makeStay(3)));
  await w.quiet();
  assert.deepEqual(await total(), { stays: 2, number_of_guests: 3 });
  const last = (await changesOf(w, 'reservation')).at(-1);
  assert.deepEqual([last?.op, last?.key, last?.part], ['deleted', 'M-1', 'M-1-C']);
  const nights = await w.store.db.selectFrom('stay_nights').select('stay_code').distinct().execute();
  assert.deepEqual(nights.map((night) => night.stay_code).toSorted(), ['M-1-A', 'M-1-B']);
});

test('nights that nobody can read any more are closed without a request; others are read', async (t) => {
  const w = await world(t);
  w.truth.taken.add('7 2025-11-25').add('7 2027-01-05');
  const asked = w.truth.count('/availabilities');
  await w.send(availabilityEvent(7, ['2020-05-01', '2020-05-02']));
  await w.quiet();
  assert.equal(w.truth.count('/availabilities'), asked);
  const mixed = availabilityEvent(7, ['2025-11-10', '2025-11-25']);
  await w.send(mixed);
  await w.send(availabilityEvent(7, ['2021-01-01']));
  await w.send(availabilityEvent(7, ['2027-01-05']));
  await w.quiet();
  const rows = await w.store.db.selectFrom('inbox').select(['state']).orderBy('event_id').execute();
  assert.deepEqual(
    rows.map((row) => row.state),
    ['unreadable', 'done', 'unreadable', 'done'],
  );
  assert.equal((await w.daemon.status(CONNECTION)).counters['unreadable'], 2);
  const taken = await w.store.db.selectFrom('availability_days').select('date').where('available', '=', 0).execute();
  assert.deepEqual(taken.map((day) => day.date).toSorted(), ['2025-11-25', '2027-01-05']);
  const change = (await changesOf(w, 'availability')).at(-1);
  assert.equal(change?.op, 'updated');
  assert.match(change?.diff ?? '', /2027-01-05/);
});

test('properties whose dates lie together share a request', async (t) => {
  const truthProperties = Array.from({ length: 30 }, (_, index) => 100 + index);
  const w = await world(t);
  for (const id of truthProperties) w.truth.properties.set(id, makeProperty(id));
  let scanned = false;
  void w.daemon.reconcile(CONNECTION, 'property').then(() => (scanned = true));
  await w.clock.until(() => scanned);
  // Each has just been met, and is read completely.
  await w.quiet();
  const asked = w.truth.count('/availabilities');
  await Promise.all(truthProperties.map((id) => w.send(availabilityEvent(id, ['2027-05-05', '2027-05-06']))));
  await w.quiet();
  const requests = w.truth.count('/availabilities') - asked;
  assert.ok(requests <= 3, `${requests} requests`);
  const days = await w.store.db
    .selectFrom('availability_days')
    .select('property_id')
    .where('date', '=', '2027-05-05')
    .execute();
  assert.equal(days.length, 31);
});

test('replayed events are read again', async (t) => {
  const w = await world(t);
  w.truth.put(makeStay(1));
  const event = reservationEvent(makeStay(1));
  await w.send(event);
  await w.quiet();
  w.truth.patch(1, { status: 'cancelled' });
  assert.equal(await w.daemon.replay(CONNECTION, [event.event_id, 'NOBODY']), 1);
  await w.quiet();
  assert.equal((await statusOfStay(w, '5-R000001'))?.status, 'cancelled');
});

test('a property that nobody announced is read once something names it, with all its nights', async (t) => {
  const w = await world(t);
  w.truth.properties.set(50, makeProperty(50)).set(51, makeProperty(51));
  w.truth.taken.add('51 2028-01-01');
  w.truth.put(makeStay(1, { property_id: 50 }));
  await w.send(reservationEvent(makeStay(1)));
  await w.send(availabilityEvent(51, ['2027-05-05']));
  await w.quiet();
  const known = await w.store.db.selectFrom('properties').select('id').orderBy('id').execute();
  assert.deepEqual(
    known.map((row) => row.id),
    [7, 50, 51],
  );
  const nights = await w.store.db
    .selectFrom('availability_days')
    .select((eb) => ['property_id', eb.fn.countAll<number>().as('nights'), eb.fn.sum<number>('available').as('free')])
    .groupBy('property_id')
    .orderBy('property_id')
    .execute();
  assert.deepEqual(
    nights.map((row) => [row.property_id, row.nights >= 1_460, row.nights - row.free]),
    [
      [7, true, 0],
      [50, true, 0],
      [51, true, 1],
    ],
  );
});
