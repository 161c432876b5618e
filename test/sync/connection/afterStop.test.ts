import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Undelivered } from '../../../src/client/undelivered.ts';
import { instantOf } from '../../../src/kernel/dates.ts';
import { owedAfterStop } from '../../../src/sync/connection/source/owedAfterStop.ts';
import { tiers } from '../../../src/sync/scans/reconcile/tiers.ts';
import { scansAfterStop } from '../../../src/sync/scans/all.ts';
import { partName } from '../../../src/sync/scans/reconcile/freshness.ts';
import {
  AFTER_STOP,
  ensureConnection,
  noteCleanStop,
  readConnection,
} from '../../../src/sync/tables/connection/state.ts';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { makeStay } from '../../support/rows.ts';

const MINUTE = 60_000;
const FAR = { check_in_date: '2028-06-05', check_out_date: '2028-06-08' };

async function world(t: TestContext): Promise<World> {
  const opened = await openWorld({ settings: { tiers } });
  t.after(() => opened.close());
  return opened;
}

/** The scans since a moment, as the mirror records them. */
async function scansSince(w: World, ms: number): Promise<string[]> {
  const rows = await w.store.db
    .selectFrom('scans')
    .select(['resource', 'part'])
    .where('connection', '=', CONNECTION)
    .where('purpose', '=', 'catch_up')
    .where('started_at', '>=', instantOf(ms))
    .orderBy('scan_id')
    .execute();
  return rows.map(({ resource, part }) => partName({ resource, ...(part !== null && { part }) }));
}

/** Stops for a time and starts again. */
async function stopFor(w: World, ms: number): Promise<number> {
  await w.daemon.stop();
  w.clock.jump(ms);
  const at = w.clock.now();
  await w.restart();
  return at;
}

test('after a short stop the newest and the near parts are read, and a far booking that nobody announced is there', async (t) => {
  const w = await world(t);
  for (let id = 1; id <= 150; id += 1) w.truth.put(makeStay(id, FAR));
  await w.daemon.reconcile(CONNECTION, 'reservation', () => {});
  await w.daemon.stop();
  w.truth.put(makeStay(200, FAR));
  const asked = w.truth.count();
  const at = await stopFor(w, 10 * MINUTE);
  assert.deepEqual(await scansSince(w, at), scansAfterStop.map(partName));
  const codes = await w.store.db.selectFrom('stays').select('stay_code').where('stay_code', '=', '5-R000200').execute();
  assert.equal(codes.length, 1);
  const requests = w.truth.count() - asked;
  assert.ok(requests < 15, `${requests} requests`);
  assert.equal((await w.daemon.status(CONNECTION)).catch_up_due, null);
});

test('after a long stop everything is read', async (t) => {
  const w = await world(t);
  const at = await stopFor(w, 61 * MINUTE);
  const read = await scansSince(w, at);
  assert.ok(read.includes('reservation') && read.includes('review'), read.join());
});

test('after a crash everything is read, though the stop before it was clean', async (t) => {
  const w = await world(t);
  await stopFor(w, MINUTE);
  const at = w.clock.now();
  await w.crash();
  const read = await scansSince(w, at);
  assert.ok(read.includes('reservation') && read.includes('review'), read.join());
});

test('where nothing is reconciled, everything is read', async (t) => {
  const w = await openWorld();
  t.after(() => w.close());
  const at = await stopFor(w, MINUTE);
  assert.ok((await scansSince(w, at)).includes('reservation'));
});

test('a stop is clean once, for the same way of reading, and when nothing is owed', async (t) => {
  const w = await world(t);
  const { db } = w.store;
  const at = instantOf(w.clock.now());
  const open = async (readWith: string) =>
    (await ensureConnection(w.store, { connection: CONNECTION, baseUrl: 'http://there', readWith, at })).catch_up_due;
  const settle = () => db.updateTable('connections').set({ catch_up_due: null }).execute();
  const stop = () => noteCleanStop(db, CONNECTION, { readWith: 'this way', at });

  await settle();
  await stop();
  assert.equal(await open('this way'), AFTER_STOP);
  assert.equal(await open('this way'), 'start', 'used up');
  await stop();
  assert.equal(await open('this way'), 'start', 'something was owed at the stop');
  await settle();
  await stop();
  assert.equal(await open('that way'), 'start', 'read in another way');
  await settle();
  assert.equal(await open('this way'), 'start', 'and forgotten since');
  await settle();
  await db.updateTable('connections').set({ state: 'paused' }).execute();
  await stop();
  assert.equal(await open('this way'), 'start', 'paused at the stop');
});

test('what is owed follows from the length of the stop and from what the source could not deliver', async (t) => {
  const w = await world(t);
  const { db } = w.store;
  assert.notEqual((await readConnection(db, CONNECTION)).webhook_id, null);
  const now = w.clock.now();
  const questions: { id: number; since: string }[] = [];
  const owed = (
    answer: Partial<Undelivered> | undefined,
    {
      away = MINUTE,
      listens = MINUTE,
      isReconciled = true,
    }: { away?: number; listens?: number; isReconciled?: boolean } = {},
  ) =>
    owedAfterStop({
      db,
      connection: CONNECTION,
      clock: w.clock,
      ask: (question) => {
        questions.push(question);
        return Promise.resolve(
          answer && { webhook_id: question.id, complete: true, failed: 0, waiting_since: null, ...answer },
        );
      },
      isReconciled,
      since: instantOf(now - listens - away),
      begunAt: now - listens,
      signal: new AbortController().signal,
    });
  assert.equal(await owed(undefined), 'near');
  assert.equal(await owed(undefined, { away: 61 * MINUTE }), 'everything');
  assert.equal(await owed(undefined, { isReconciled: false }), 'everything');
  assert.equal(await owed({}), 'nothing');
  assert.equal(await owed({}, { away: 90 * 24 * 60 * MINUTE }), 'nothing', 'a core knows about a long stop as well');
  assert.equal(await owed({ failed: 1 }), 'everything');
  assert.equal(await owed({ complete: false }), 'everything');
  const before = instantOf(now - 2 * MINUTE);
  assert.equal(await owed({ waiting_since: before }, { listens: 1_000 }), 'later', 'it may have been sent to nobody');
  assert.equal(await owed({ waiting_since: before }), 'nothing', 'it comes');
  assert.equal(await owed({ waiting_since: instantOf(now) }, { listens: 1_000 }), 'nothing');
  assert.equal(await owed(undefined), 'everything', 'it has answered before');
  assert.equal(await owed({}, { away: -MINUTE }), 'everything', 'the clock was set back');
  // Two clocks may differ, so the question goes back a minute further.
  assert.equal(questions[0]?.since, instantOf(now - 3 * MINUTE));
});
