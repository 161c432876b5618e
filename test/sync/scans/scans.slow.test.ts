import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addDays } from '../../../src/kernel/dates.ts';
import type { ScanResult } from '../../../src/sync/scans/purpose.ts';
import { reservationEvent } from '../../support/events.ts';
import { CONNECTION, openWorld, type World, type WorldOptions } from '../../support/mirror.ts';
import { makeProperty, makeStay, makeTransaction } from '../../support/rows.ts';
import { Truth } from '../../support/truth.ts';

async function world(t: TestContext, fill: (truth: Truth) => void, options: WorldOptions = {}): Promise<World> {
  const truth = new Truth();
  fill(truth);
  const opened = await openWorld({ truth, ...options });
  t.after(() => opened.close());
  return opened;
}

async function reconcile(w: World, resource: string): Promise<ScanResult> {
  let results: ScanResult[] | undefined;
  void w.daemon.reconcile(CONNECTION, resource).then((all) => (results = all));
  await w.clock.until(() => results !== undefined, `the scan of ${resource}`);
  await w.quiet();
  const [result] = results ?? [];
  assert.ok(result);
  return result;
}

const live = async ({ store }: World, table: 'stays' | 'transactions' | 'properties' | 'custom_channels') =>
  (
    await store.db
      .selectFrom(table as 'stays')
      .select('id')
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute()
  ).map((row) => row.id);

test('the first start reads everything, rooms that straddle pages included', async (t) => {
  const w = await world(t, (truth) => {
    for (let id = 1; id <= 240; id += 1) {
      const code = `B-${Math.ceil(id / 3)}`;
      // The rooms of a booking leave on different days, so they stand far apart in the list.
      const check_out_date = addDays('2027-01-01', (id % 3) * 100 + (id % 50));
      truth.put(
        makeStay(id, {
          reservation_code: code,
          stay_code: `${code}-${id}`,
          check_out_date,
          check_in_date: '2026-12-30',
        }),
      );
    }
  });
  assert.equal((await live(w, 'stays')).length, 240);
  const reservations = await w.store.db.selectFrom('reservations').select(['stays', 'number_of_guests']).execute();
  assert.equal(reservations.length, 80);
  assert.ok(reservations.every((row) => row.stays === 3 && row.number_of_guests === 6));
  const changes = await w.daemon.feed(CONNECTION).read(0, 1_000);
  assert.ok(changes.every((change, index) => change.seq === index + 1));
  assert.ok(changes.every((change) => change.seen_by === 'scan' && change.op === 'created' && change.diff === null));
  assert.equal((await w.store.db.selectFrom('versions').select('change_seq').execute()).length, 0);
});

test('a second scan over the same rows changes nothing', async (t) => {
  const w = await world(t, (truth) => {
    for (let id = 1; id <= 150; id += 1) truth.put(makeStay(id));
  });
  const head = await w.daemon.feed(CONNECTION).head();
  const { state, requests } = await reconcile(w, 'reservation');
  assert.equal(state, 'done');
  assert.equal(requests, 2);
  assert.equal(await w.daemon.feed(CONNECTION).head(), head);
});

test('a change without an event is found by a scan, named, and no loss of anything', async (t) => {
  const deposit = { amount: 200, paid_amount: 0, deducted_amount: 0, pending_refund_amount: 0, refunded_amount: 0 };
  const details = { ...makeStay(1).check_in_details, deposit: 200 };
  const w = await world(t, (truth) => {
    const deposit_details = { ...deposit, currency: 'EUR', status: 'unpaid' };
    truth.put(makeStay(1, { check_in_details: { ...details, deposit_details } }));
  });
  const deposit_details = { ...deposit, paid_amount: 200, currency: 'EUR', status: 'paid' };
  w.truth.patch(1, { check_in_details: { ...details, deposit_details } });
  await reconcile(w, 'reservation');
  const change = (await w.daemon.feed(CONNECTION).read(0, 100)).at(-1);
  assert.equal(change?.derived, 'deposit_paid');
  assert.equal(change?.seen_by, 'command');
  assert.deepEqual(JSON.parse(change?.diff ?? '[]'), [
    { path: 'check_in_details.deposit_details.paid_amount', before: 0, after: 200 },
    { path: 'check_in_details.deposit_details.status', before: 'unpaid', after: 'paid' },
  ]);
  const [version] = await w.store.db.selectFrom('versions').selectAll().execute();
  assert.equal(version?.change_seq, change?.seq);
  assert.match(version?.raw ?? '', /"paid_amount":0/);
  assert.equal(version?.valid_to, change?.at);
});

test('a known row that a scan does not meet is looked up before it counts as gone', async (t) => {
  const w = await world(t, (truth) => {
    for (let id = 1; id <= 40; id += 1) truth.transactions.set(id, makeTransaction(id));
  });
  w.truth.transactions.delete(3);
  // Moved out of every window that the scan reads, but not gone.
  w.truth.transactions.set(4, makeTransaction(4, { action_at: '2001-01-01T00:00:00+01:00' }));
  const asked = w.truth.asked.length;
  await reconcile(w, 'transaction');
  const singles = w.truth.asked.slice(asked).filter((request) => request.query.has('id'));
  assert.deepEqual(new Set(singles.map((request) => request.query.get('id'))), new Set(['3', '4']));
  assert.deepEqual(await live(w, 'transactions'), [1, 2, ...Array.from({ length: 37 }, (_, index) => index + 4)]);
  const gone = (await w.daemon.feed(CONNECTION).read(0, 1_000)).filter((change) => change.op === 'deleted');
  assert.deepEqual(
    gone.map((change) => [change.key, change.seen_by]),
    [['3', 'command']],
  );
});

test('mass disappearance and an empty answer delete nothing', async (t) => {
  const w = await world(t, (truth) => {
    for (let id = 1; id <= 100; id += 1) truth.put(makeStay(id));
  });
  const kept = new Map(w.truth.stays);
  for (let id = 1; id <= 30; id += 1) w.truth.stays.delete(id);
  const shrunk = await reconcile(w, 'reservation');
  assert.equal(shrunk.state, 'suspect');
  assert.match(shrunk.problem ?? '', /30 of 100/);
  w.truth.stays.clear();
  const empty = await reconcile(w, 'reservation');
  assert.equal(empty.state, 'suspect');
  assert.equal((await live(w, 'stays')).length, 100);
  assert.equal((await w.daemon.status(CONNECTION)).scans['reservation']?.state, 'suspect');
  for (const [id, stay] of kept) w.truth.stays.set(id, stay);
  assert.equal((await reconcile(w, 'reservation')).state, 'done');
});

test('a row of a list without a look-up is gone when a second reading lacks it, too', async (t) => {
  const w = await world(t, (truth) => {
    truth.customChannels.set(1, 'Friends').set(2, 'Agency');
  });
  w.truth.customChannels.delete(1);
  await reconcile(w, 'custom_channel');
  assert.deepEqual(await live(w, 'custom_channels'), [2]);
});

test('the ledger is read in windows that follow its density', async (t) => {
  const w = await world(
    t,
    (truth) => {
      // Twelve thousand entries in one month, and some around it.
      for (let id = 1; id <= 12_000; id += 1) {
        const action_at = `${addDays('2026-03-01', id % 31)}T12:00:00+01:00`;
        truth.transactions.set(id, makeTransaction(id, { action_at }));
      }
      truth.transactions.set(20_000, makeTransaction(20_000, { action_at: '2019-05-05T12:00:00+02:00' }));
      truth.transactions.set(20_001, makeTransaction(20_001, { action_at: '2029-05-05T12:00:00+02:00' }));
    },
    { settings: { historyFrom: '2000-01-01' } },
  );
  assert.equal((await live(w, 'transactions')).length, 12_002);
  const offsets = w.truth.asked
    .filter((asked) => asked.path === '/transactions')
    .map((asked) => Number(asked.query.get('offset')));
  assert.ok(Math.max(...offsets) < 10_100);
  assert.ok(offsets.length < 200, `${offsets.length} requests`);
});

test('a thousand properties are read, and then their nights', async (t) => {
  const w = await world(t, (truth) => {
    for (let id = 100; id < 350; id += 1) truth.properties.set(id, makeProperty(id));
    truth.taken.add('120 2027-01-01');
  });
  assert.equal((await live(w, 'properties')).length, 251);
  const asked = w.truth.asked.filter((request) => request.path === '/availabilities');
  assert.equal(asked.length, 3 * (16 + 1), 'the near nights first');
  const nights = await w.store.db
    .selectFrom('availability_days')
    .select((eb) => [eb.fn.countAll<number>().as('days'), eb.fn.min('date').as('first'), eb.fn.max('date').as('last')])
    .executeTakeFirstOrThrow();
  assert.deepEqual(nights, { days: 251 * 1_460, first: '2025-11-21', last: '2029-11-19' });
  const taken = await w.store.db
    .selectFrom('availability_days')
    .select(['property_id', 'date'])
    .where('available', '=', 0)
    .execute();
  assert.deepEqual(taken, [{ property_id: 120, date: '2027-01-01' }]);
});

test('every later start catches up on what happened meanwhile', async (t) => {
  const w = await world(t, (truth) => {
    for (let id = 1; id <= 30; id += 1) truth.put(makeStay(id));
  });
  w.truth.patch(5, { status: 'cancelled' });
  await w.restart();
  const [stay] = await w.store.db.selectFrom('stays').select('status').where('id', '=', 5).execute();
  assert.equal(stay?.status, 'cancelled');
  const change = (await w.daemon.feed(CONNECTION).read(0, 1_000)).at(-1);
  assert.equal(change?.seen_by, 'catch_up');
  assert.equal(w.truth.webhooks.size, 1, 'the webhook of the first start is still good');
});

test('an event accepted before a stop is read after the next start', async (t) => {
  const w = await world(t, () => {});
  w.truth.fault = () => ({ kind: 'status', status: 503 });
  w.truth.put(makeStay(1));
  assert.equal(await w.send(reservationEvent(makeStay(1))), 200);
  await w.clock.run(500);
  w.truth.fault = () => undefined;
  await w.restart();
  await w.quiet();
  const rows = await w.store.db.selectFrom('inbox').select('state').execute();
  assert.deepEqual(rows, [{ state: 'done' }]);
  assert.equal((await live(w, 'stays')).length, 1);
});
