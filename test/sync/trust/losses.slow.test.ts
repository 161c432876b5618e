import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { instantOf } from '../../../src/kernel/dates.ts';
import { describedLimitsGate } from '../../../src/sync/budget/gate.ts';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { availabilityEvent, messageEvent, reservationEvent, transactionEvent } from '../../support/events.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { makeDay, makeListing, makeStay, makeTransaction } from '../../support/rows.ts';
import { Truth } from '../../support/truth.ts';
import { makeMessage, makeConversation } from '../../support/wireConversations.ts';

const MINUTE = 60_000;

async function world(t: TestContext, fill: (truth: Truth) => void, database?: string): Promise<World> {
  const truth = new Truth();
  fill(truth);
  const opened = await openWorld({ truth, ...(database !== undefined && { database }) });
  t.after(() => opened.close());
  return opened;
}

const PIECE = 5_000;
/** Questions that take about as long as what a timer has begun on PostgreSQL, where real time has to pass. */
const QUESTIONS = 8;

async function pass(w: World, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= PIECE) {
    await w.clock.advance(Math.min(left, PIECE));
    for (let asked = 0; asked < QUESTIONS; asked += 1) await sql`select 1`.execute(w.store.db);
  }
  await w.clock.run(40);
}

type Body = (t: TestContext, database?: string) => Promise<void>;

const everywhere = new Map<string, Body>();

/** A test on SQLite, and with the others of its kind on PostgreSQL. */
function testEverywhere(name: string, body: Body): void {
  everywhere.set(name, body);
  test(name, (t) => body(t));
}

/** A scan through one resource or everything, as somebody asks for it. */
async function scan(w: World, resource?: string): Promise<void> {
  let done = false;
  void w.daemon.reconcile(CONNECTION, resource).then(() => (done = true));
  await w.clock.until(() => done, 'a scan');
  await w.quiet();
}

const losses = (w: World) => w.store.db.selectFrom('lost_events').selectAll().orderBy('seq').orderBy('event').execute();

const short = (rows: Awaited<ReturnType<typeof losses>>) =>
  rows.map(({ event, sub_event, key, part, days, state }) => [event, sub_event, key, part, days, state].join(' '));

/** Until nothing is left to be decided. */
async function decided(w: World): Promise<void> {
  for (let round = 0; round < 60 && (await losses(w)).some(({ state }) => state === 'waiting'); round += 1) {
    await pass(w, 1_000);
  }
}

async function assertLosses(w: World, wanted: readonly string[]): Promise<void> {
  await decided(w);
  assert.deepEqual(short(await losses(w)), wanted);
}

const queuedNow = (w: World) => ({ timestamp: instantOf(w.clock.now()) });

testEverywhere(
  'a change that no event has told of is lost, with the time in which it happened',
  async (t, database) => {
    const w = await world(t, (truth) => truth.put(makeStay(1)), database);
    await pass(w, MINUTE);
    const before = instantOf(w.clock.now());
    w.truth.patch(1, { status: 'cancelled' });
    await pass(w, MINUTE);
    await scan(w, 'reservation');
    const [found] = await losses(w);
    assert.equal(found?.state, 'waiting', 'its event may still be under way');
    assert.ok(found.since < before && before < found.seen_at);
    await pass(w, MINUTE);
    await assertLosses(w, ['reservation_updated  5-R000001 5-R000001  lost']);
    const [change] = (await w.daemon.feed(CONNECTION).read(found.seq - 1, 1)) ?? [];
    assert.deepEqual([change?.key, change?.seen_by, found.seen_by], ['5-R000001', 'command', 'command']);
    assert.ok(found.scan_id);
    const { counters, loss } = await w.daemon.status(CONNECTION);
    assert.equal(counters['lost/reservation_updated'], 1);
    const figures = { received: 0, lost: 1, late: 0, unproven: 0, lost_percent: 100 };
    assert.deepEqual(loss, { reservation_updated: figures });
  },
);

test('status says how many events a read answers, how long a change takes, and what is asked of each window', async (t) => {
  const truth = new Truth();
  truth.put(makeStay(1));
  const w = await openWorld({ truth, gate: describedLimitsGate });
  t.after(() => w.close());
  const stay = truth.patch(1, { status: 'cancelled' });
  for (const event_id of ['E1', 'E2', 'E3']) await w.send(reservationEvent(stay, { event_id, ...queuedNow(w) }));
  await w.quiet();
  const { coalescing, propagation, budget, loss } = await w.daemon.status(CONNECTION);
  assert.deepEqual(coalescing, { reservation: { events: 3, reads: 1, events_per_read: 3 } });
  assert.equal(propagation['reservation']?.changes, 1);
  assert.ok((propagation['reservation']?.worst ?? 9) <= (propagation['reservation']?.p99 ?? 0));
  assert.equal(loss['reservation_updated']?.received, 3);
  assert.equal(budget['listReservations']?.['60']?.max, 600);
  assert.ok((budget['account']?.['3600']?.used ?? 0) > 5);
  const rows = await w.store.db.selectFrom('sync_hours').select(['measure', 'subject', 'count']).execute();
  assert.ok(rows.some(({ measure, subject }) => measure === 'requests' && subject === 'lookup/listReservations'));
});

testEverywhere(
  'each kind of event is missed for what it tells, and nothing for what changes silently',
  async (t, database) => {
    const w = await world(
      t,
      (truth) => {
        truth.put(makeStay(1), makeStay(2), makeStay(3));
        truth.listings.set(1, makeListing(1, { listing_id: 'L/1' }));
        for (const id of [1, 2, 3]) truth.transactions.set(id, makeTransaction(id));
        truth.conversations.set('T1', makeConversation('T1', [makeMessage('m1')]));
      },
      database,
    );
    await pass(w, MINUTE);
    const { truth } = w;
    const details = truth.stays.get(1)?.check_in_details;
    assert.ok(details);
    const deposit_details = {
      amount: 100,
      paid_amount: 100,
      deducted_amount: 0,
      pending_refund_amount: 100,
      refunded_amount: 0,
      currency: 'EUR',
      status: 'paid' as const,
    };
    // Nobody tells of these.
    truth.patch(1, {
      check_in_details: { ...details, deposit: 100, deposit_details },
      channel_details: { marketplace_a: { cancellation_policy_category: 'strict' } } as never,
    });
    truth.days.set(
      'marketplace_a/L/1 2026-11-25',
      makeDay('2026-11-25', { restrictions: { min_stay_on_arrival: 5 } } as never),
    );
    truth.transactions.set(1, makeTransaction(1, { status: 'pending', item_name: 'Renamed' } as never));
    await scan(w);
    await pass(w, MINUTE);
    await assertLosses(w, []);
    // Of these somebody must have told.
    truth.patch(2, { note: 'Late', check_in_details: { ...details, lock_code: '1234' }, number_of_guests: 3 });
    const stay = truth.stays.get(3);
    truth.patch(3, { rates: { ...stay?.rates, rate: { currency: 'EUR', amount: 400 } } as never });
    truth.put(makeStay(4, { created_at: instantOf(w.clock.now()) }));
    truth.transactions.set(2, makeTransaction(2, { amount: 77 }));
    truth.transactions.delete(3);
    truth.transactions.set(9, makeTransaction(9, { created_at: instantOf(w.clock.now()) }));
    truth.conversations.get('T1')?.messages.unshift(makeMessage('m2', { timestamp: '2026-11-20T13:30:00+01:00' }));
    for (const date of ['2026-12-01', '2026-12-02', '2026-12-09']) truth.taken.add(`7 ${date}`);
    truth.days.set('marketplace_a/L/1 2026-11-26', makeDay('2026-11-26', { price: 77 }));
    await scan(w);
    await pass(w, MINUTE);
    await decided(w);
    assert.deepEqual(short(await losses(w)).toSorted(), [
      'listing_calendar_updated  marketplace_a/L/1  2026-11-26:2026-11-26 unproven',
      'message_created  T1 T1/m2  lost',
      'property_availability_updated  7  2026-12-01:2026-12-02,2026-12-09:2026-12-09 lost',
      'reservation_created  5-R000004 5-R000004  lost',
      'reservation_updated  5-R000002 5-R000002  lost',
      'reservation_updated lock_code_updated 5-R000002 5-R000002  lost',
      'reservation_updated rates_updated 5-R000003 5-R000003  lost',
      'reservation_updated remarks_updated 5-R000002 5-R000002  lost',
      'transaction_created  9   lost',
      'transaction_deleted  3   lost',
      'transaction_updated  2   lost',
    ]);
  },
);

test('an event that comes while the scan is under way, or soon after, was only slower', async (t) => {
  const w = await world(t, (truth) => truth.put(makeStay(1), makeStay(2)));
  await pass(w, MINUTE);
  const one = w.truth.patch(1, { status: 'cancelled' });
  const queued = queuedNow(w);
  await scan(w, 'reservation');
  assert.equal((await losses(w)).length, 1);
  await pass(w, 10_000);
  await w.send(reservationEvent(one, { event: 'reservation_updated', event_id: 'E1', ...queued }));
  await w.quiet();
  assert.deepEqual(await losses(w), []);
  // And one that has come and waits for its read.
  w.truth.fault = ({ query }) => (query.get('reservation_code') ? { kind: 'status', status: 503 } : undefined);
  const two = w.truth.patch(2, { number_of_guests: 4 });
  await w.send(reservationEvent(two, { event: 'reservation_updated', event_id: 'E2', ...queuedNow(w) }));
  let done = false;
  void w.daemon.reconcile(CONNECTION, 'reservation').then(() => (done = true));
  await w.clock.until(() => done, 'a scan');
  await pass(w, 2 * MINUTE);
  assert.deepEqual(await losses(w), []);
});

testEverywhere(
  'an event that comes much later is late, and says by how much; one of another change is no proof',
  async (t, database) => {
    const w = await world(t, (truth) => truth.put(makeStay(1)), database);
    await pass(w, MINUTE);
    const stay = w.truth.patch(1, { status: 'cancelled' });
    const queued = queuedNow(w);
    await pass(w, 5_000);
    await scan(w, 'reservation');
    await pass(w, 2 * MINUTE);
    await assertLosses(w, ['reservation_updated  5-R000001 5-R000001  lost']);
    w.truth.patch(1, { number_of_guests: 4 });
    await w.send(reservationEvent(stay, { event: 'reservation_updated', event_id: 'E2', ...queuedNow(w) }));
    await w.quiet();
    assert.equal((await losses(w))[0]?.state, 'lost', 'that one told of the other change');
    await w.send(reservationEvent(stay, { event: 'reservation_updated', event_id: 'E1', ...queued }));
    await w.quiet();
    const [late] = await losses(w);
    assert.deepEqual([late?.state, late?.event_id], ['late', 'E1']);
    assert.ok((late?.late_ms ?? 0) > 2 * MINUTE && (late?.late_ms ?? 0) < 3 * MINUTE);
    const { counters } = await w.daemon.status(CONNECTION);
    assert.deepEqual([counters['lost/reservation_updated'], counters['late/reservation_updated']], [1, 1]);
  },
);

testEverywhere('days that one of two events has named are not missed, also when it comes late', async (t, database) => {
  const w = await world(t, () => {}, database);
  await pass(w, MINUTE);
  const first = ['2026-12-01', '2026-12-02'];
  const second = ['2026-12-02', '2026-12-03', '2026-12-05'];
  for (const date of [...first, ...second]) w.truth.taken.add(`7 ${date}`);
  const queued = queuedNow(w);
  await scan(w, 'availability');
  await pass(w, 2 * MINUTE);
  await assertLosses(w, ['property_availability_updated  7  2026-12-01:2026-12-03,2026-12-05:2026-12-05 lost']);
  await w.send({ ...availabilityEvent(7, first), event_id: 'E1', ...queued });
  await w.quiet();
  await assertLosses(w, [
    'property_availability_updated  7  2026-12-03:2026-12-03,2026-12-05:2026-12-05 lost',
    'property_availability_updated  7  2026-12-01:2026-12-02 late',
  ]);
});

test('nothing is counted before events are sent to us, nor what was there before everything had been read', async (t) => {
  const truth = new Truth();
  truth.readOnly = true;
  truth.put(makeStay(1));
  const w = await openWorld({ truth });
  t.after(() => w.close());
  truth.patch(1, { status: 'cancelled' });
  truth.put(makeStay(2));
  await scan(w, 'reservation');
  await pass(w, MINUTE);
  assert.deepEqual(await losses(w), []);
});

test('what a rebuild reads again, and a first read finds, was not missed', async (t) => {
  const w = await world(t, (truth) => truth.put(makeStay(1)));
  await pass(w, MINUTE);
  let done = false;
  void w.daemon.rebuild(CONNECTION).then(() => (done = true));
  await w.clock.until(() => done, 'the rebuild');
  await pass(w, MINUTE);
  assert.deepEqual(await losses(w), []);
});

test('the event of a message or an entry is known by what it names, whatever clocks say', async (t) => {
  const w = await world(t, (truth) => truth.conversations.set('T1', makeConversation('T1', [makeMessage('m1')])));
  await pass(w, MINUTE);
  w.truth.conversations.get('T1')?.messages.unshift(makeMessage('m2', { timestamp: '2026-11-20T13:30:00+01:00' }));
  w.truth.transactions.set(1, makeTransaction(1, { created_at: instantOf(w.clock.now()) }));
  await scan(w, 'message');
  await scan(w, 'transaction');
  assert.equal((await losses(w)).length, 2);
  await w.send({ ...messageEvent('T1', 'm2'), timestamp: '2020-01-01T00:00:00.000Z' });
  await w.send({ ...transactionEvent(1), timestamp: '2030-01-01T00:00:00.000Z' });
  await w.quiet();
  assert.deepEqual(await losses(w), []);
});

describeOnPostgres('the same on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());

  for (const [name, body] of everywhere) test(name, async (t) => body(t, await server.freshDatabase()));
});
