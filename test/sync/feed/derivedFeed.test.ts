import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Change } from '../../../src/sync/feed/feed.ts';
import { calendarEvent, reservationEvent } from '../../support/events.ts';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { makeDay, makeListing, makeStay } from '../../support/rows.ts';
import { Truth } from '../../support/truth.ts';

const KEY = 'marketplace_a/L1';

function stayWith(paid: number, deducted: number, pending: number) {
  const amounts = { paid_amount: paid, deducted_amount: deducted, pending_refund_amount: pending, refunded_amount: 0 };
  const deposit_details = { amount: 200, ...amounts, currency: 'EUR', status: 'paid' };
  return makeStay(1, { check_in_details: { ...makeStay(1).check_in_details, deposit: 200, deposit_details } });
}

async function world(t: TestContext): Promise<World> {
  const truth = new Truth();
  truth.put(stayWith(200, 0, 200));
  truth.listings.set(1, makeListing(1));
  truth.channelAccounts.set(3, account('active'));
  const opened = await openWorld({ truth });
  t.after(() => opened.close());
  return opened;
}

function account(auth_status: string) {
  const names = { channel_type: 'marketplace_a', username: 'u', origin_account_id: 'o3' };
  return { id: 3, ...names, auth_status, created_at: '2026-01-01T00:00:00Z' };
}

async function reconcile(w: World, resource?: string): Promise<void> {
  let done = false;
  void w.daemon.reconcile(CONNECTION, resource).then(() => (done = true));
  await w.clock.until(() => done, 'a scan');
}

const named = async (w: World): Promise<Change[]> =>
  (await w.daemon.feed(CONNECTION).read(0, 5_000)).filter((change) => change.derived_events.length > 0);

test('a first read names nothing, since nothing was known before', async (t) => {
  const w = await world(t);
  assert.deepEqual(await named(w), []);
  assert.deepEqual(await w.store.db.selectFrom('derived_events').selectAll().execute(), []);
});

test('each transition is named once, with before and after, in the change that saw it', async (t) => {
  const w = await world(t);
  w.truth.put(stayWith(200, 50, 0));
  await reconcile(w, 'reservation');
  await reconcile(w, 'reservation');
  await w.send(reservationEvent(makeStay(1)));
  await w.quiet();
  const changes = await named(w);
  assert.equal(changes.length, 1);
  const [change] = changes;
  assert.equal(change?.derived, 'deposit_deducted');
  assert.deepEqual(
    change?.derived_events.map(({ name, before, after }) => [
      name,
      Reflect.get(before as object, 'pending_refund_amount'),
      Reflect.get(after as object, 'pending_refund_amount'),
    ]),
    [
      ['deposit_deducted', 200, 0],
      ['deposit_returned', 200, 0],
    ],
  );
  const rows = await w.store.db.selectFrom('derived_events').selectAll().orderBy('position').execute();
  assert.deepEqual(
    rows.map((row) => [row.seq, row.position, row.name, row.at]),
    [
      [change?.seq, 0, 'deposit_deducted', change?.at],
      [change?.seq, 1, 'deposit_returned', change?.at],
    ],
  );
  assert.equal(rows[0]?.key, '5-R000001');
});

test('a restart and a scan after it name nothing a second time', async (t) => {
  const w = await world(t);
  w.truth.channelAccounts.set(3, account('disconnected'));
  await reconcile(w);
  await w.restart();
  await w.quiet();
  assert.deepEqual(
    (await named(w)).map((change) => [change.resource, change.derived]),
    [['channel_account', 'channel_disconnected']],
  );
});

test('a rebuilt mirror names nothing', async (t) => {
  const w = await world(t);
  for (const table of ['stays', 'channel_accounts', 'calendar_days', 'calendar_reads'] as const)
    await w.store.db.deleteFrom(table).execute();
  w.truth.put(stayWith(200, 200, 0));
  w.truth.channelAccounts.set(3, account('disconnected'));
  w.truth.days.set(`${KEY} 2027-03-01`, makeDay('2027-03-01', { price: 90 }));
  await reconcile(w);
  assert.deepEqual(await named(w), []);
});

test('prices, inventory and restrictions are named by days that changed alike', async (t) => {
  const w = await world(t);
  for (const date of ['2027-03-01', '2027-03-02']) w.truth.days.set(`${KEY} ${date}`, makeDay(date, { price: 90 }));
  w.truth.days.set(`${KEY} 2027-03-03`, makeDay('2027-03-03', { inventory: 0, closed_on_arrival: true }));
  await w.send(calendarEvent({ listing_id: 'L1', channel_type: 'marketplace_a' }, '2027-03-01', '2027-03-05'));
  await w.quiet();
  await reconcile(w, 'calendar');
  const [change, ...more] = await named(w);
  assert.deepEqual(more, []);
  assert.deepEqual(change?.derived_events, [
    {
      name: 'price_changed',
      from: '2027-03-01',
      to: '2027-03-02',
      before: { price: '100.5' },
      after: { price: '90' },
    },
    {
      name: 'inventory_changed',
      from: '2027-03-03',
      to: '2027-03-03',
      before: { inventory: 1 },
      after: { inventory: 0 },
    },
    {
      name: 'restrictions_changed',
      from: '2027-03-03',
      to: '2027-03-03',
      before: { closed_on_arrival: null },
      after: { closed_on_arrival: 1 },
    },
  ]);
});

test('a name is committed with its change or not at all', async (t) => {
  const w = await world(t);
  await w.store.db.schema.alterTable('derived_events').renameTo('hidden').execute();
  w.truth.put(stayWith(200, 50, 0));
  await reconcile(w, 'reservation');
  const deducted = async () =>
    (await w.store.db.selectFrom('stays').select('deposit_deducted_minor').execute())[0]?.deposit_deducted_minor;
  assert.equal(await deducted(), 0);
  await w.store.db.schema
    .alterTable('hidden' as never)
    .renameTo('derived_events')
    .execute();
  await reconcile(w, 'reservation');
  assert.equal(await deducted(), 5_000);
  assert.equal((await named(w)).length, 1);
});
