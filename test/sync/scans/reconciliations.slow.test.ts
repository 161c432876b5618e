import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addDays } from '../../../src/kernel/dates.ts';
import { tiers } from '../../../src/sync/scans/reconcile/tiers.ts';
import { CONNECTION, openWorld, type World, type WorldOptions } from '../../support/mirror.ts';
import { makeDay, makeListing, makeProperty, makeStay, makeTransaction } from '../../support/rows.ts';
import { Truth } from '../../support/truth.ts';
import { makeMessage, makeConversation } from '../../support/wireConversations.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const TODAY = '2026-11-20';
const LISTING = 'marketplace_a/L/1';

async function world(t: TestContext, fill: (truth: Truth) => void, options: WorldOptions = {}): Promise<World> {
  const truth = new Truth();
  fill(truth);
  const opened = await openWorld({ truth, ...options, settings: { tiers, ...options.settings } });
  t.after(() => opened.close());
  return opened;
}

const fresh = async (w: World) => (await w.daemon.status(CONNECTION)).fresh;

/** Lets virtual time pass in strides, and between them what has come due be done. */
async function pass(w: World, ms: number): Promise<void> {
  const stride = 2 * MINUTE;
  for (let left = ms; left > 0; left -= stride) {
    await w.clock.advance(Math.min(stride, left));
    await w.clock.run(40);
    await w.clock.until(async () => !(await isReconciling(w)), 'the reconciliations');
  }
}

async function isReconciling({ store }: World): Promise<boolean> {
  const rows = await store.db.selectFrom('reconciliations').select('tier').where('state', '=', 'running').execute();
  return rows.length > 0;
}

const staysOf = async (w: World, id: number) =>
  (await w.store.db.selectFrom('stays').selectAll().where('id', '=', id).execute())[0];

const near = (id: number) => makeStay(id, { check_in_date: addDays(TODAY, -2), check_out_date: addDays(TODAY, 3) });

test('every tier is read by itself before it is too old, with no event, command or restart', async (t) => {
  const w = await world(t, (truth) => {
    truth.put(near(1));
    truth.listings.set(1, makeListing(1, { listing_id: 'L/1' }));
    truth.transactions.set(1, makeTransaction(1));
    truth.conversations.set('T1', makeConversation('T1', [makeMessage('m1')]));
  });
  const overdue = new Set<string>();
  const look = async () => {
    for (const [tier, { freshness }] of Object.entries(await fresh(w))) if (freshness === 'overdue') overdue.add(tier);
  };
  for (let looks = 0; looks < 26; looks += 1) {
    await pass(w, 5 * MINUTE);
    await look();
  }
  assert.deepEqual([...overdue], []);
  assert.equal(Object.keys(await fresh(w)).length, tiers.length);
  w.clock.jump(22 * HOUR);
  await w.clock.until(async () => {
    overdue.clear();
    await look();
    return overdue.size === 0;
  }, 'all to be fresh a day later');
});

test('the hot stays are asked for by their check-out, and only those that go on for long by their check-in', async (t) => {
  const stay = (id: number, from: number, to: number) =>
    makeStay(id, { check_in_date: addDays(TODAY, from), check_out_date: addDays(TODAY, to) });
  const w = await world(t, (truth) => {
    truth.put(stay(1, -20, -15), stay(2, -20, -14), stay(3, 12, 14), stay(4, 14, 15), stay(5, -300, 300));
    truth.put(stay(6, 15, 16));
  });
  await pass(w, MINUTE);
  const sent = w.truth.asked.length;
  for (const id of [1, 2, 3, 4, 5, 6]) {
    w.truth.patch(id, { channel_details: { marketplace_a: { cancellation_policy_category: 'strict' } } as never });
  }
  w.clock.jump(14 * MINUTE);
  await pass(w, 2 * MINUTE);
  const seen = await Promise.all(
    [1, 2, 3, 4, 5, 6].map(async (id) => (await staysOf(w, id))?.cancellation_policy_category),
  );
  assert.deepEqual(seen, [null, 'strict', 'strict', 'strict', 'strict', null]);
  const asked = w.truth.asked.slice(sent).filter(({ path }) => path === '/reservations');
  const windows = asked.map(({ query }) => [query.get('start_check_out_date'), query.get('end_check_out_date')]);
  // A source that is asked for both dates at once reads all later stays for each page.
  assert.deepEqual(windows.slice(0, 2), [
    [addDays(TODAY, -14), addDays(TODAY, 14)],
    [addDays(TODAY, 15), '2199-12-31'],
  ]);
  assert.deepEqual(
    asked.slice(0, 2).map(({ query }) => query.get('end_check_in_date')),
    [null, addDays(TODAY, 14)],
  );
});

test('what sends no event is found within the age of its tier', async (t) => {
  const w = await world(t, (truth) => {
    truth.put(near(1), makeStay(2, { check_in_date: '2027-08-01', check_out_date: '2027-08-05' }));
    truth.listings.set(1, makeListing(1, { listing_id: 'L/1' }));
    truth.conversations.set('T1', makeConversation('T1', [makeMessage('m1')]));
  });
  await pass(w, MINUTE);
  // A repeated push in a listing's calendar, a remark of the channel, a room type: nobody is told.
  w.truth.days.set(`${LISTING} 2026-11-25`, makeDay('2026-11-25', { price: 77 }));
  w.truth.patch(1, { channel_details: { marketplace_a: { cancellation_policy_category: 'strict' } } as never });
  w.truth.properties.set(8, makeProperty(8));
  // And an event that was lost.
  const conversation = w.truth.conversations.get('T1');
  assert.ok(conversation);
  conversation.messages.unshift(makeMessage('m2', { timestamp: '2026-11-20T13:30:00+01:00' }));
  await pass(w, 16 * MINUTE);
  const day = await w.store.db.selectFrom('calendar_days').selectAll().where('date', '=', '2026-11-25').execute();
  assert.equal(day[0]?.price, '77');
  assert.equal((await staysOf(w, 1))?.cancellation_policy_category, 'strict');
  const texts = await w.store.db.selectFrom('messages').select('message_id').orderBy('message_id').execute();
  assert.deepEqual(
    texts.map((row) => row.message_id),
    ['m1', 'm2'],
  );
  const change = (await w.daemon.feed(CONNECTION).read(0, 1_000)).find(
    (one) => one.resource === 'reservation' && one.op === 'updated',
  );
  assert.equal(change?.seen_by, 'scan');
  await pass(w, 45 * MINUTE);
  assert.ok((await w.store.db.selectFrom('properties').select('id').where('id', '=', 8).execute())[0]);
});

test('a reconciliation that always fails makes its tier overdue by itself, and the others stay ok', async (t) => {
  const w = await world(t, (truth) => truth.put(near(1)));
  await pass(w, MINUTE);
  w.truth.fault = ({ path }) => (path === '/reservations' ? { kind: 'code', code: 422 } : undefined);
  await pass(w, 16 * MINUTE);
  const now = await fresh(w);
  assert.equal(now['reservation.near']?.freshness, 'overdue');
  assert.equal(now['reservation.near']?.state, 'failed');
  assert.match(now['reservation.near']?.problem ?? '', /422/);
  assert.equal(now['calendar.near']?.freshness, 'ok');
  w.truth.fault = () => undefined;
  await pass(w, 5 * MINUTE);
  assert.equal((await fresh(w))['reservation.near']?.freshness, 'ok', 'and ok again when it goes well');
});

test('a daemon that sleeps is overdue: freshness follows from the age of the data alone', async (t) => {
  const w = await world(t, (truth) => truth.put(near(1)));
  await pass(w, MINUTE);
  assert.equal((await fresh(w))['reservation.near']?.freshness, 'ok');
  w.clock.jump(16 * MINUTE);
  const { freshness, age, max_age } = (await fresh(w))['reservation.near'] ?? {};
  assert.deepEqual([freshness, max_age], ['overdue', 900]);
  assert.ok((age ?? 0) > 900);
});

test('a conversation shows the new dates of a booking that was moved without an event', async (t) => {
  const w = await world(t, (truth) => {
    truth.put({ ...near(1), conversation_id: 'T1' });
    truth.conversations.set('T1', makeConversation('T1', [makeMessage('m1')]));
  });
  await pass(w, MINUTE);
  w.truth.patch(1, { check_in_date: addDays(TODAY, -1), check_out_date: addDays(TODAY, 4) });
  const [shown] = w.truth.conversations.get('T1')?.activities ?? [];
  assert.ok(shown);
  Object.assign(shown, { check_in_date: addDays(TODAY, -1), check_out_date: addDays(TODAY, 4) });
  await pass(w, 16 * MINUTE);
  const [conversation] = await w.store.db.selectFrom('conversations').selectAll().execute();
  assert.equal(conversation && Reflect.get(conversation, 'check_out_date'), addDays(TODAY, 4));
});

test('a stay that left the dates of a reconciliation is looked up, not buried', async (t) => {
  const w = await world(t, (truth) => truth.put(near(1), near(2), near(3)));
  await pass(w, MINUTE);
  // Moved a year away without an event; another one is really gone.
  w.truth.patch(1, { check_in_date: '2027-11-01', check_out_date: '2027-11-04' });
  w.truth.stays.delete(2);
  await pass(w, 16 * MINUTE);
  assert.equal((await staysOf(w, 1))?.check_in_date, '2027-11-01');
  assert.equal((await staysOf(w, 1))?.deleted_at, null);
  assert.notEqual((await staysOf(w, 2))?.deleted_at, null);
  assert.equal((await staysOf(w, 3))?.deleted_at, null);
});

test('a ledger entry that moved to another date is found by its id before anything is buried', async (t) => {
  const w = await world(t, (truth) => {
    for (let id = 1; id <= 3; id += 1)
      truth.transactions.set(id, makeTransaction(id, { action_at: '2026-11-10T12:00:00+01:00' }));
  });
  await pass(w, MINUTE);
  w.truth.transactions.set(1, makeTransaction(1, { action_at: '2026-02-01T12:00:00+01:00' }));
  w.truth.transactions.delete(2);
  w.clock.jump(5 * HOUR);
  await pass(w, 4 * MINUTE);
  const rows = await w.store.db
    .selectFrom('transactions')
    .select(['id', 'action_date', 'deleted_at'])
    .orderBy('id')
    .execute();
  assert.deepEqual(
    rows.map((row) => [row.id, row.action_date, row.deleted_at !== null]),
    [
      [1, '2026-02-01', false],
      [2, '2026-11-10', true],
      [3, '2026-11-10', false],
    ],
  );
});

test('a listing whose calendar is gone costs few refused requests, then none', async (t) => {
  const w = await world(t, (truth) => {
    for (let id = 1; id <= 60; id += 1) truth.listings.set(id, makeListing(id, { listing_id: `L/${id}` }));
  });
  await pass(w, MINUTE);
  // The list still shows it, its calendar does not.
  let failures = 0;
  w.truth.fault = ({ path }) => {
    if (path !== '/listings/calendar' || !w.truth.calendarsAsked.some((one) => one.listing_id === 'L/17'))
      return undefined;
    failures += 1;
    return { kind: 'code', code: 404 };
  };
  await pass(w, 58 * MINUTE);
  assert.ok(failures > 0 && failures < 10, `${failures} refused requests in an hour`);
});
