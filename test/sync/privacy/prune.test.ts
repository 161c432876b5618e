import assert from 'node:assert/strict';
import { conversationsInUse } from '../../../src/automations/plans/inUse.ts';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { ApiError } from '../../../src/kernel/errors.ts';
import { instantOf } from '../../../src/kernel/dates.ts';
import { stateOf } from '../../../src/sync/feed/asOf/stateOf.ts';
import { historyBound } from '../../../src/sync/feed/historyBounds.ts';
import { prune, type RetentionDays } from '../../../src/sync/privacy/retention/prune.ts';
import { availabilityEvent, messageEvent, reservationEvent } from '../../support/events.ts';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { makeStay } from '../../support/rows.ts';
import { Truth } from '../../support/truth.ts';
import { activity, makeMessage, makeOffer, makeConversation } from '../../support/wireConversations.ts';

const DAY_MS = 86_400_000;
const forEver: RetentionDays = { events: null, changes: null, versions: null, messages: null, scans: null };

async function world(t: TestContext, fill: (truth: Truth) => void = () => {}): Promise<World> {
  const truth = new Truth();
  truth.put(makeStay(1));
  fill(truth);
  const opened = await openWorld({ truth });
  t.after(() => opened.close());
  return opened;
}

const pruned = (w: World, days: Partial<RetentionDays>) =>
  prune(
    { store: w.store, connection: CONNECTION, clock: w.clock, signal: new AbortController().signal },
    { days: { ...forEver, ...days }, inUse: conversationsInUse },
  );

async function change(w: World, number_of_guests: number): Promise<string> {
  w.truth.patch(1, { number_of_guests });
  const event = reservationEvent(makeStay(1));
  await w.send(event);
  await w.quiet();
  return event.event_id;
}

test('payloads of read events go when they are old; the ids stay, and an event that waits keeps its own', async (t) => {
  const w = await world(t);
  const old = await change(w, 3);
  w.truth.fault = () => ({ kind: 'status', status: 503 });
  const stuck = reservationEvent(makeStay(1), { note: 'waits' });
  await w.send(stuck);
  w.clock.jump(100 * DAY_MS);
  w.truth.fault = () => undefined;
  assert.equal((await pruned(w, { events: 90 })).events, 1);
  const rows = await w.store.db.selectFrom('inbox').select(['event_id', 'state', 'body']).execute();
  assert.deepEqual(
    rows.map(({ event_id, state, body }) => [event_id, state, body !== null]),
    [
      [old, 'done', false],
      [stuck.event_id, 'pending', true],
    ].toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  );
  assert.equal(await w.send(reservationEvent(makeStay(1), { event_id: old })), 200);
  assert.equal((await w.store.db.selectFrom('inbox').selectAll().execute()).length, 2, 'known for ever');
  assert.equal((await pruned(w, { events: 90 })).events, 0);
});

test('the feed loses its beginning, never a place in the middle', async (t) => {
  const w = await world(t);
  await change(w, 3);
  w.clock.jump(50 * DAY_MS);
  await change(w, 4);
  w.clock.jump(70 * DAY_MS);
  await change(w, 5);
  const feed = w.daemon.feed(CONNECTION);
  const before = (await feed.read(0, 1_000)).map((one) => one.seq);
  assert.ok((await pruned(w, { changes: 100 })).changes > 1);
  const after = (await feed.read(0, 1_000)).map((one) => one.seq);
  assert.deepEqual(after, before.slice(-2));
  assert.equal(await feed.head(), before.at(-1));
  assert.ok(await historyBound(w.store.db, CONNECTION, 'changes'));
});

test('old states go when they are old, and a question about before says so', async (t) => {
  const w = await world(t);
  const first = instantOf(w.clock.now());
  w.clock.jump(1_000);
  await change(w, 3);
  w.truth.taken.add('7 2027-03-02');
  await w.send(availabilityEvent(7, ['2027-03-02']));
  await w.quiet();
  w.clock.jump(400 * DAY_MS);
  await change(w, 4);
  const lately = instantOf(w.clock.now() - DAY_MS);
  assert.deepEqual((await pruned(w, { versions: 365 })).versions, 2);
  const question = { connection: CONNECTION, resource: 'reservation', key: '5-R000001' };
  const ask = (as_of: string) => stateOf({ db: w.store.db, clock: w.clock }, { ...question, as_of });
  await assert.rejects(ask(first), (error: unknown) => {
    assert.ok(error instanceof ApiError && error.code === 404);
    assert.match(error.message, /history is kept since/);
    return true;
  });
  const { rows } = (await ask(lately)) as { rows: { row: { number_of_guests: number } }[] };
  assert.equal(rows[0]?.row.number_of_guests, 3);
  assert.deepEqual(await w.store.db.selectFrom('availability_history').selectAll().execute(), []);
});

test('what was said goes when it is old, is not read in again, and verify knows', async (t) => {
  const w = await world(t, (truth) => {
    const messages = [
      makeMessage('new', { timestamp: '2026-11-19T12:00:00Z' }),
      makeMessage('old', { timestamp: '2025-11-19T12:00:00Z' }),
    ];
    truth.conversations.set('c', makeConversation('c', messages));
  });
  const texts = async () =>
    (
      await w.store.db
        .selectFrom('personal_values')
        .select('row_key')
        .where('resource', '=', 'message')
        .where('path', '=', 'content')
        .orderBy('row_key')
        .execute()
    ).map((row) => row.row_key);
  assert.deepEqual(await texts(), ['c/new', 'c/old']);
  await pruned(w, { messages: 180 });
  assert.deepEqual(await texts(), ['c/new']);
  const head = await w.daemon.feed(CONNECTION).head();
  await w.send(messageEvent('c', 'old'));
  await w.quiet();
  let done = false;
  void w.daemon.reconcile(CONNECTION, 'message').then(() => (done = true));
  await w.clock.until(() => done, 'a scan');
  assert.deepEqual(await texts(), ['c/new']);
  assert.equal(await w.daemon.feed(CONNECTION).head(), head);
  let report: { clean: boolean } | undefined;
  void w.daemon.verify(CONNECTION).then((one) => (report = one));
  await w.clock.until(() => report !== undefined, 'a report');
  assert.equal(report?.clean, true);
  assert.equal((await w.store.db.selectFrom('messages').selectAll().execute()).length, 2, 'that it was said stays');
});

test('what was said in a conversation that is not over stays, however old, and goes when it has been over for as long', async (t) => {
  const old = makeMessage('old', { timestamp: '2025-11-19T12:00:00Z' });
  const conversations = {
    booked: 1,
    later: 2,
    calledOff: 3,
    calledOffLately: 4,
    offered: undefined,
    planned: undefined,
  };
  const w = await world(t, (truth) => {
    const dates = { check_in_date: '2027-03-01', check_out_date: '2027-03-05' };
    truth.put(makeStay(1, { check_in_date: '2026-01-01', check_out_date: '2026-01-05' }));
    truth.put(makeStay(2, dates));
    truth.put(makeStay(3, { ...dates, status: 'cancelled', cancelled_at: '2026-01-05T00:00:00Z' }));
    truth.put(makeStay(4, { ...dates, status: 'cancelled', cancelled_at: '2026-11-05T00:00:00Z' }));
    for (const [conversation, id] of Object.entries(conversations)) {
      const about = id === undefined ? [] : [activity(makeStay(id).reservation_code, 7)];
      const offers = conversation === 'offered' ? [makeOffer('o')] : [];
      truth.conversations.set(conversation, { ...makeConversation(conversation, [old]), activities: about, offers });
    }
  });
  const ended = async (state: string) => {
    await sql`delete from automation_plans`.execute(w.store.db);
    await sql`
      insert into automation_plans (connection, plan_id, rule, version, subject, occurrence, action, conversation_id,
        basis, due_at, send_at, not_after, next_at, state, approved, undo, attempts, created_at, changed_at)
      values (${CONNECTION}, 'P', 'r', 1, 's', '', 'message', 'planned', '{}', '', '', '', '', ${state}, 0, 0, 0, '', '')
    `.execute(w.store.db);
  };
  const kept = async () => {
    const rows = await w.store.db
      .selectFrom('personal_values')
      .select('row_key')
      .where('resource', '=', 'message')
      .where('path', '=', 'content')
      .orderBy('row_key')
      .execute();
    return rows.map((row) => row.row_key.split('/')[0]);
  };
  await ended('awaiting_approval');
  await pruned(w, { messages: 180 });
  assert.deepEqual(await kept(), ['calledOffLately', 'later', 'offered', 'planned']);
  await ended('sent');
  await sql`update special_offers set status = 'expired'`.execute(w.store.db);
  await pruned(w, { messages: 180 });
  assert.deepEqual(await kept(), ['calledOffLately', 'later']);
  w.clock.jump(170 * DAY_MS);
  await pruned(w, { messages: 180 });
  assert.deepEqual(await kept(), ['later'], 'the stay has ended two months ago');
  w.clock.jump(200 * DAY_MS);
  await pruned(w, { messages: 180 });
  assert.deepEqual(await kept(), []);
});

test('records of scans go, but for the last of each resource', async (t) => {
  const w = await world(t);
  const scans = async () =>
    (await w.store.db.selectFrom('scans').select('resource').execute()).map((row) => row.resource);
  let done = false;
  void w.daemon.reconcile(CONNECTION, 'task').then(() => (done = true));
  await w.clock.until(() => done, 'a scan');
  w.clock.jump(40 * DAY_MS);
  const before = await scans();
  const resources = new Set(before);
  assert.ok(before.length > resources.size);
  assert.equal((await pruned(w, { scans: 30 })).scans, before.length - resources.size);
  assert.deepEqual(new Set(await scans()), resources);
  assert.deepEqual(await pruned(w, {}), { events: 0, changes: 0, versions: 0, messages: 0, scans: 0 });
});
