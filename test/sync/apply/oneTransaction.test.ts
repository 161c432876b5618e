import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { messageOf } from '../../../src/kernel/errors.ts';
import { SqliteLease } from '../../../src/store/sqlite/sqlite.ts';
import { transactionEvent } from '../../support/events.ts';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { makeProperty, makeStay, makeTransaction } from '../../support/rows.ts';
import { Truth } from '../../support/truth.ts';

async function world(t: TestContext, truth = new Truth()): Promise<World> {
  const w = await openWorld({ truth });
  t.after(() => w.close());
  return w;
}

type Look = (mirror: Database.Database) => void;

/** Shows `look` what a crash right after each commit of `work` would leave. */
async function afterEachCommit(t: TestContext, w: World, look: Look, work: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ file: string }>`pragma database_list`.execute(w.store.db);
  const mirror = new Database(rows[0]?.file, { readonly: true });
  const { commit } = SqliteLease.prototype;
  let commits = 0;
  const problems: string[] = [];
  const restore = () => Object.assign(SqliteLease.prototype, { commit });
  t.after(restore);
  t.after(() => mirror.close());
  SqliteLease.prototype.commit = function () {
    commit.call(this);
    commits += 1;
    try {
      look(mirror);
    } catch (error) {
      // Thrown here it would be one more failed read, to be tried again.
      problems.push(messageOf(error));
    }
  };
  await work();
  restore();
  assert.deepEqual(problems, []);
  assert.ok(commits > 3, `${commits} commits`);
}

/** Whether there is such a row, or somebody has asked for it. */
function isFollowed(mirror: Database.Database, table: string, column: string, key: string): boolean {
  const resource = { properties: 'property', custom_channels: 'custom_channel', reservations: 'reservation' }[table];
  return (
    mirror.prepare(`select 1 from ${table} where cast(${column} as text) = ?`).get(key) !== undefined ||
    mirror.prepare('select 1 from dirty_keys where resource = ? and key = ?').get(resource, key) !== undefined
  );
}

test('wherever a look-up is stopped, what its answer names and touches is known or asked for', async (t) => {
  const w = await world(t);
  w.truth.properties.set(9, makeProperty(9));
  w.truth.customChannels.set(5, 'Friends');
  const stay = makeStay(1, { property_id: 9, custom_channel: { id: 5, name: 'Friends' } });
  w.truth.put(stay);
  w.truth.transactions.set(1, makeTransaction(1, { reservation_code: stay.reservation_code, property_id: 9 }));
  const seen = { entry: 0, stay: 0 };
  const look: Look = (mirror) => {
    if (mirror.prepare('select 1 from transactions').get()) {
      seen.entry += 1;
      assert.ok(isFollowed(mirror, 'reservations', 'reservation_code', stay.reservation_code), 'the booking');
      assert.ok(isFollowed(mirror, 'properties', 'id', '9'), 'the property of an entry');
      const claims = mirror.prepare(
        "select 1 from dirty_keys where resource = 'transaction' and claimed_by is not null",
      );
      assert.equal(claims.get(), undefined, 'no claim is left');
    }
    if (mirror.prepare('select 1 from stays').get()) {
      seen.stay += 1;
      assert.ok(isFollowed(mirror, 'custom_channels', 'id', '5'), 'the channel of a booking');
    }
  };
  await afterEachCommit(t, w, look, async () => {
    await w.send(transactionEvent(1));
    await w.quiet();
  });
  assert.ok(seen.entry > 0 && seen.stay > 0, JSON.stringify(seen));
});

test('wherever a scan is stopped, what its rows name is known or asked for', async (t) => {
  const w = await world(t);
  for (let id = 1; id <= 30; id += 1) {
    w.truth.customChannels.set(id, `Channel ${id}`);
    w.truth.put(makeStay(id, { custom_channel: { id, name: `Channel ${id}` } }));
  }
  let met = 0;
  const look: Look = (mirror) => {
    for (const id of mirror.prepare<[], number>('select id from stays').pluck().all()) {
      met += 1;
      assert.ok(isFollowed(mirror, 'custom_channels', 'id', String(id)), `channel ${id}`);
    }
  };
  await afterEachCommit(t, w, look, async () => {
    let scanned = false;
    void w.daemon.reconcile(CONNECTION, 'reservation').then(() => (scanned = true));
    await w.clock.until(() => scanned);
    await w.quiet();
  });
  assert.ok(met >= 30);
});
