import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { reservationEvent } from '../../support/events.ts';
import { CONNECTION, openWorld, type World, type WorldOptions } from '../../support/mirror.ts';
import { seededDice } from '../../../src/kernel/seeded.ts';
import { makeStay } from '../../support/rows.ts';

async function world(t: TestContext, options: WorldOptions = {}): Promise<World> {
  const opened = await openWorld(options);
  t.after(() => opened.close());
  return opened;
}

async function states(w: World): Promise<Record<string, number>> {
  const rows = await w.store.db
    .selectFrom('inbox')
    .select((eb) => ['state', eb.fn.countAll<number>().as('events')])
    .groupBy('state')
    .execute();
  return Object.fromEntries(rows.map((row) => [row.state, row.events]));
}

test('a crash at any moment loses no acknowledged event', async (t) => {
  const w = await world(t);
  const random = seededDice(9).fraction;
  const acknowledged = new Set<string>();
  for (let round = 0; round < 6; round += 1) {
    const events = Array.from({ length: 15 }, () => {
      const id = 1 + Math.floor(random() * 30);
      w.truth.put(makeStay(id, { number_of_guests: 1 + Math.floor(random() * 9) }));
      return reservationEvent(makeStay(id));
    });
    const sending = events.map(async (event) => {
      if ((await w.send(event)) === 200) acknowledged.add(event.event_id);
    });
    await Promise.all(sending);
    // Somewhere between the first look-up and the last.
    await w.clock.run(Math.floor(random() * 60));
    await w.crash();
  }
  await w.quiet();
  assert.equal(acknowledged.size, 90);
  const rows = await w.store.db.selectFrom('inbox').select(['event_id', 'state']).execute();
  assert.deepEqual(new Set(rows.map((row) => row.event_id)), acknowledged);
  assert.deepEqual(await states(w), { done: 90 });
  const stays = await w.store.db.selectFrom('stays').select(['id', 'number_of_guests']).orderBy('id').execute();
  const truth = [...w.truth.stays.values()].map(({ id, number_of_guests }) => ({ id, number_of_guests }));
  assert.deepEqual(
    stays,
    truth.toSorted((a, b) => a.id - b.id),
  );
});

test('events that cannot be stored are refused, and everything is read again', async (t) => {
  const w = await world(t);
  w.truth.put(makeStay(1), makeStay(2));
  await sql`create trigger full before insert on inbox begin select raise(abort, 'disk full'); end`.execute(w.store.db);
  assert.equal(await w.send(reservationEvent(makeStay(1))), 503);
  await sql`drop trigger full`.execute(w.store.db);
  await w.clock.until(async () => (await w.store.db.selectFrom('stays').select('id').execute()).length === 2);
  const change = (await w.daemon.feed(CONNECTION).read(0, 1_000)).find((one) => one.resource === 'reservation');
  assert.equal(change?.seen_by, 'catch_up');
});

test('that events were refused is not forgotten while nothing can be stored at all', async (t) => {
  const w = await world(t);
  w.truth.put(makeStay(1), makeStay(2));
  for (const [name, when] of [
    ['full_inbox', 'insert on inbox'],
    ['full_connections', 'update of catch_up_due on connections'],
  ]) {
    await sql
      .raw(`create trigger ${name} before ${when} begin select raise(abort, 'disk full'); end`)
      .execute(w.store.db);
  }
  assert.equal(await w.send(reservationEvent(makeStay(1))), 503);
  await w.clock.run(5_000);
  for (const name of ['full_inbox', 'full_connections']) await sql.raw(`drop trigger ${name}`).execute(w.store.db);
  await w.clock.until(async () => (await w.store.db.selectFrom('stays').select('id').execute()).length === 2);
});

test('what was claimed while the database failed is read again soon after, not when the claim ends', async (t) => {
  const w = await world(t);
  w.truth.put(makeStay(1));
  const fails = sql`create trigger full before update on dirty_keys when new.claimed_by is null
    begin select raise(abort, 'disk full'); end`;
  await fails.execute(w.store.db);
  assert.equal(await w.send(reservationEvent(makeStay(1))), 200);
  // The read succeeds, or fails; that it is over cannot be noted either way.
  w.truth.fault = () => ({ kind: 'status', status: 503 });
  await w.clock.run(3_000);
  w.truth.fault = () => undefined;
  await sql`drop trigger full`.execute(w.store.db);
  const from = w.clock.monotonic();
  await w.clock.until(
    async () => (await w.store.db.selectFrom('stays').select('id').execute()).length === 1,
    'the row',
  );
  assert.ok(w.clock.monotonic() - from < 10_000, `after ${w.clock.monotonic() - from} ms`);
});

test('a row that cannot be applied is quarantined by a scan, and the others go on', async (t) => {
  const w = await world(t);
  for (let id = 1; id <= 150; id += 1) w.truth.put(makeStay(id));
  await sql`create trigger odd before insert on stays when new.id = 77 begin select raise(abort, 'odd row'); end`.execute(
    w.store.db,
  );
  let scanned = false;
  void w.daemon.reconcile(CONNECTION, 'reservation').then(() => (scanned = true));
  await w.clock.until(() => scanned);
  assert.equal((await w.store.db.selectFrom('stays').select('id').execute()).length, 149);
  const [aside] = await w.store.db.selectFrom('quarantine').selectAll().execute();
  assert.deepEqual([aside?.key, aside?.problem], ['5-R000077', 'odd row']);
  assert.doesNotMatch(aside?.raw ?? '', /Guest 77/);
});

test('a stop lets go of everything, and leaves nothing running', async (t) => {
  const w = await world(t);
  w.truth.fault = () => ({ kind: 'status', status: 503 });
  for (let id = 1; id <= 10; id += 1) await w.send(reservationEvent(makeStay(id)));
  await w.clock.run(100);
  await w.daemon.stop();
  const claims = await w.store.db.selectFrom('dirty_keys').select('claimed_by').execute();
  assert.ok(claims.length === 10 && claims.every((row) => row.claimed_by === null));
  const asked = w.truth.count();
  await w.clock.run(20_000);
  assert.equal(w.truth.count(), asked);
});
