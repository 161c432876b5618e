import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { reservationEvent, transactionEvent } from '../../support/events.ts';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { makeProperty, makeStay, makeTransaction } from '../../support/rows.ts';

async function world(t: TestContext): Promise<World> {
  const w = await openWorld();
  t.after(() => w.close());
  return w;
}

async function done<T>(w: World, work: Promise<T>): Promise<T> {
  let outcome: { value: T } | undefined;
  void work.then((value) => (outcome = { value }));
  await w.clock.until(() => outcome !== undefined, 'the end of it');
  assert.ok(outcome);
  return outcome.value;
}

/** A stay of a channel that the truth makes up for it. */
function stayOf(w: World, id: number, channel: number) {
  const name = `Channel ${channel}`;
  w.truth.customChannels.set(channel, name);
  const stay = makeStay(id, { custom_channel: { id: channel, name } });
  w.truth.put(stay);
  return stay;
}

async function channels(w: World): Promise<number[]> {
  const rows = await w.store.db.selectFrom('custom_channels').select('id').orderBy('id').execute();
  return rows.map((row) => row.id);
}

test('a custom channel that an announced booking names is read, and known from then on', async (t) => {
  const w = await world(t);
  const before = w.truth.count('/custom_channels');
  await w.send(reservationEvent(stayOf(w, 1, 5)));
  await w.quiet();
  assert.deepEqual(await channels(w), [5]);
  await w.send(reservationEvent(stayOf(w, 2, 5)));
  await w.quiet();
  assert.equal(w.truth.count('/custom_channels') - before, 1);
});

test('a scan through bookings of many new channels reads their list once', async (t) => {
  const w = await world(t);
  // No event, and the scan of the channels themselves is not made: as when they come while the scan is under way.
  for (let id = 1; id <= 90; id += 1) stayOf(w, id, 1 + (id % 30));
  const before = w.truth.count('/custom_channels');
  await done(w, w.daemon.reconcile(CONNECTION, 'reservation'));
  await w.quiet();
  assert.equal((await channels(w)).length, 30);
  assert.equal(w.truth.count('/custom_channels') - before, 1);
  assert.equal((await done(w, w.daemon.verify(CONNECTION))).clean, true);
});

test('new dictionary items that entries name are read, one request for each dictionary', async (t) => {
  const w = await world(t);
  const before = new Map(
    ['/income_items', '/expense_items', '/income_methods'].map((path) => [path, w.truth.count(path)]),
  );
  const items = Array.from({ length: 12 }, (_, index) => ({ id: index + 1, name: `Item ${index + 1}` }));
  w.truth.fault = ({ path }) =>
    path === '/expense_items'
      ? { kind: 'data', data: { expense_items: items } }
      : path === '/income_methods'
        ? { kind: 'data', data: { income_methods: items } }
        : undefined;
  const entries = items.flatMap(({ id }) => [
    makeTransaction(id, { direction: 'expense', item_id: id }),
    makeTransaction(100 + id, { direction: 'income', payment_method_id: id }),
  ]);
  for (const entry of entries) w.truth.transactions.set(entry.id, entry);
  await done(w, w.daemon.reconcile(CONNECTION, 'transaction'));
  await w.quiet();
  const asked = [...before].map(([path, count]) => w.truth.count(path) - count);
  assert.deepEqual(asked, [0, 1, 1]);
  const known = await w.store.db.selectFrom('dictionary_items').select('item').execute();
  assert.equal(known.filter(({ item }) => item.startsWith('expense_items/')).length, 12);
  assert.equal(known.filter(({ item }) => item.startsWith('income_methods/')).length, 12);
  assert.equal((await done(w, w.daemon.verify(CONNECTION))).clean, true);
});

test('an entry of a new item is enough', async (t) => {
  const w = await world(t);
  w.truth.fault = ({ path }) =>
    path === '/income_items'
      ? {
          kind: 'data',
          data: {
            income_items: [
              { id: 1, name: 'Rent' },
              { id: 2, name: 'Fee' },
            ],
          },
        }
      : undefined;
  w.truth.transactions.set(1, makeTransaction(1, { item_id: 2 }));
  await w.send(transactionEvent(1));
  await w.quiet();
  const known = await w.store.db
    .selectFrom('dictionary_items')
    .select('name')
    .where('item', '=', 'income_items/2')
    .execute();
  assert.deepEqual(known, [{ name: 'Fee' }]);
});

test('what rows name although it is gone upstream is not asked for again and again', async (t) => {
  const w = await world(t);
  const before = w.truth.count('/custom_channels') + w.truth.count('/properties');
  for (let id = 1; id <= 20; id += 1) {
    const stay = makeStay(id, { custom_channel: { id: 99, name: 'Gone' }, property_id: 98 });
    w.truth.put(stay);
    await w.send(reservationEvent(stay));
    await w.quiet();
  }
  const asked = w.truth.count('/custom_channels') + w.truth.count('/properties') - before;
  assert.equal(asked, 2);
});

test('a property that a booking names is read with its nights', async (t) => {
  const w = await world(t);
  w.truth.properties.set(9, makeProperty(9));
  const stay = makeStay(1, { property_id: 9 });
  w.truth.put(stay);
  await w.send(reservationEvent(stay));
  await w.quiet();
  const nights = await w.store.db.selectFrom('availability_days').select('date').where('property_id', '=', 9).execute();
  assert.ok(nights.length > 1_000);
});
