import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { reservationEvent } from '../../support/events.ts';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { makeStay } from '../../support/rows.ts';

async function world(t: TestContext): Promise<World> {
  const w = await openWorld();
  t.after(() => w.close());
  return w;
}

const stays = (w: World) => w.store.db.selectFrom('stays').select('id').execute();

test('a full disk: events are refused, reading goes on, and with space again all is made up for', async (t) => {
  const w = await world(t);
  const { rows } = await sql<{ pages: number }>`select page_count as pages from pragma_page_count`.execute(w.store.db);
  await sql.raw(`pragma max_page_count = ${rows[0]?.pages ?? 0}`).execute(w.store.db);
  const statuses = new Set<number>();
  for (let id = 1; id <= 300 && !statuses.has(503); id += 1) {
    w.truth.put(makeStay(id));
    statuses.add(await w.send(reservationEvent(makeStay(id), { padding: 'x'.repeat(4_000) })));
  }
  assert.ok(statuses.has(503), `answered ${[...statuses].join()}`);
  assert.equal((await w.daemon.status(CONNECTION)).connection, CONNECTION, 'what is known can be read');
  await sql.raw('pragma max_page_count = 1000000').execute(w.store.db);
  const from = w.clock.monotonic();
  await w.clock.until(async () => (await stays(w)).length === w.truth.stays.size, 'all rows');
  assert.ok(w.clock.monotonic() - from < 60_000, 'within a minute');
  await w.quiet();
  const { rows: check } = await sql<{ quick_check: string }>`pragma quick_check`.execute(w.store.db);
  assert.deepEqual(check, [{ quick_check: 'ok' }]);
});

test('a lock that another program holds for a moment is waited out, and no event is refused', async (t) => {
  const w = await world(t);
  const { rows } = await sql<{ file: string }>`pragma database_list`.execute(w.store.db);
  const other = lockElsewhere(rows[0]?.file ?? '');
  t.after(() => other.end());
  await other.locked;
  w.truth.put(makeStay(1));
  assert.equal(await w.send(reservationEvent(makeStay(1))), 200);
  assert.equal(await other.letGo, 'let go');
  await w.quiet();
  assert.equal((await stays(w)).length, 1);
});

const DRIVER = createRequire(import.meta.url).resolve('better-sqlite3');

/** Holds the write lock of a file from another conversation, for most of a second. */
function lockElsewhere(file: string) {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    const database = new (require(workerData.driver))(workerData.file);
    database.exec('begin immediate');
    parentPort.postMessage('locked');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800);
    database.exec('rollback');
    database.close();
    parentPort.postMessage('let go');`;
  const conversation = new Worker(code, { eval: true, workerData: { file, driver: DRIVER } });
  const said = (wanted: string) =>
    new Promise<string>((resolve) => {
      conversation.on('message', (text: string) => text === wanted && resolve(text));
    });
  return { locked: said('locked'), letGo: said('let go'), end: () => conversation.terminate() };
}
