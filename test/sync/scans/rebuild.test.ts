import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { prune } from '../../../src/sync/privacy/retention/prune.ts';
import { reservationEvent } from '../../support/events.ts';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { makeStay, makeTransaction } from '../../support/rows.ts';
import { Truth } from '../../support/truth.ts';

async function world(t: TestContext): Promise<World> {
  const truth = new Truth();
  for (let id = 1; id <= 60; id += 1) {
    truth.put(makeStay(id));
    truth.transactions.set(id, makeTransaction(id, { reservation_code: makeStay(id).reservation_code }));
  }
  const w = await openWorld({ truth });
  t.after(() => w.close());
  truth.patch(1, { number_of_guests: 9 });
  await w.send(reservationEvent(makeStay(1)));
  await w.quiet();
  return w;
}

async function done<T>(w: World, work: Promise<T>): Promise<T> {
  let outcome: { value: T } | undefined;
  let failure: unknown;
  work.then(
    (value) => (outcome = { value }),
    (error: unknown) => (failure = error),
  );
  await w.clock.until(() => outcome !== undefined || failure !== undefined, 'the end of it');
  if (!outcome) throw failure;
  return outcome.value;
}

async function run(w: World, ...statements: string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(w.store.db);
}

async function kept(w: World) {
  const inbox = await w.store.db.selectFrom('inbox').selectAll().orderBy('event_id').execute();
  const versions = await w.store.db.selectFrom('versions').selectAll().orderBy('change_seq').execute();
  return { inbox, versions, head: await w.daemon.feed(CONNECTION).head() };
}

test('rows that were bent, lost, or are of nobody come right, and nothing of it is news', async (t) => {
  const w = await world(t);
  const before = await kept(w);
  await run(
    w,
    `update stays set status = 'bent' where id < 20`,
    `delete from stays where id between 20 and 40`,
    `delete from stay_nights where stay_code = '5-R000050'`,
    `update guests set stay_code = 'NOBODY' where stay_code = '5-R000051'`,
    `update reservations set total_rate_minor = 1`,
    `delete from transactions`,
    `delete from availability_days where date > '2027-01-01'`,
    `delete from availability_reads`,
    `update properties set name = 'Hut'`,
    `update stay_nights set stay_code = 'LOST' where stay_code = '5-R000052'`,
  );
  assert.equal((await done(w, w.daemon.verify(CONNECTION))).clean, false);
  const results = await done(w, w.daemon.rebuild(CONNECTION));
  assert.deepEqual(new Set(results.map((one) => one.state)), new Set(['done']));
  await w.quiet();
  assert.deepEqual(await kept(w), before, 'inbox, history and feed are as they were');
  const report = await done(w, w.daemon.verify(CONNECTION));
  assert.equal(report.clean, true, JSON.stringify(report.resources.filter((one) => !one.clean)));
});

test('rows that only the pruned part of the feed told of are no news either; one that it told to be gone is', async (t) => {
  const w = await world(t);
  w.truth.stays.delete(9);
  await done(w, w.daemon.reconcile(CONNECTION, 'reservation'));
  await w.quiet();
  w.clock.jump(86_400_000);
  w.truth.patch(2, { number_of_guests: 8 });
  await w.send(reservationEvent(makeStay(2)));
  await w.quiet();
  const days = { events: null, changes: 0.5, versions: null, messages: null, scans: null };
  const { signal } = new AbortController();
  const pruning = { store: w.store, connection: CONNECTION, clock: w.clock, signal };
  assert.ok((await prune(pruning, { days, inUse: () => Promise.resolve([]) })).changes > 100);
  const { head } = await kept(w);
  assert.equal((await w.daemon.feed(CONNECTION).read(0, 10)).length, 1, 'one change is left of the feed');
  await run(w, `delete from stays where id between 1 and 40`, `delete from transactions`, `delete from properties`);
  await run(w, `delete from availability_days`, `delete from availability_reads`);
  w.truth.put(makeStay(9));
  await done(w, w.daemon.rebuild(CONNECTION));
  await w.quiet();
  const news = await w.daemon.feed(CONNECTION).read(head, 1_000);
  assert.deepEqual(
    news.map((one) => [one.key, one.op]),
    [['5-R000009', 'created']],
  );
  const report = await done(w, w.daemon.verify(CONNECTION));
  assert.equal(report.clean, true, JSON.stringify(report.resources.filter((one) => !one.clean)));
});

test('what upstream has really changed is news, also while rows are written again', async (t) => {
  const w = await world(t);
  const { head } = await kept(w);
  await run(w, `update stays set status = 'bent'`);
  w.truth.patch(7, { number_of_guests: 8 });
  w.truth.put(makeStay(61));
  w.truth.stays.delete(9);
  await done(w, w.daemon.rebuild(CONNECTION));
  await w.quiet();
  const news = await w.daemon.feed(CONNECTION).read(head, 100);
  assert.deepEqual(
    news.map((one) => [one.key, one.op]).toSorted((a, b) => String(a[0]).localeCompare(String(b[0]))),
    [
      ['5-R000007', 'updated'],
      ['5-R000009', 'deleted'],
      ['5-R000061', 'created'],
    ],
  );
});

test('an empty answer is doubted here, too: nothing is deleted', async (t) => {
  const w = await world(t);
  w.truth.stays.clear();
  const results = await done(w, w.daemon.rebuild(CONNECTION));
  assert.equal(results.find((one) => one.resource === 'reservation')?.state, 'suspect');
  const left = await w.store.db.selectFrom('stays').select('id').where('deleted_at', 'is', null).execute();
  assert.equal(left.length, 60);
});
