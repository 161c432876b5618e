import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { reservationEvent } from '../../support/events.ts';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { makeStay } from '../../support/rows.ts';
import { Truth } from '../../support/truth.ts';

/** No reading bears it: the row has no key. */
const keyless = { reservation_code: { of: 'another form' } as unknown as string, stay_code: [] as unknown as string };

async function world(t: TestContext): Promise<World> {
  const truth = new Truth();
  truth.put(makeStay(1), makeStay(2, keyless));
  const w = await openWorld({ truth });
  t.after(() => w.close());
  return w;
}

async function aside(w: World): Promise<string[]> {
  const rows = await w.store.db.selectFrom('quarantine').select(['resource', 'problem']).execute();
  return rows.map(({ resource }) => resource);
}

async function retry(w: World): Promise<string[]> {
  let read: string[] | undefined;
  void w.daemon.retryQuarantined(CONNECTION).then((all) => (read = all.map(({ resource }) => resource)));
  await w.clock.until(() => read !== undefined, 'an end of the reading');
  return read ?? [];
}

test('a retry reads the resources with rows quarantined, and only those; a row that can be read is let out', async (t) => {
  const w = await world(t);
  assert.deepEqual(await aside(w), ['reservation']);
  assert.deepEqual(await retry(w), ['reservation']);
  assert.deepEqual(await aside(w), ['reservation'], 'it is as it was');
  const times = await w.store.db.selectFrom('quarantine').select('times').executeTakeFirst();
  assert.ok((times?.times ?? 0) >= 2);
  w.truth.put(makeStay(2));
  assert.deepEqual(await retry(w), ['reservation']);
  assert.deepEqual(await aside(w), []);
  assert.deepEqual(await retry(w), []);
});

test('a start reads it again, as after an upgrade that reads more', async (t) => {
  const w = await world(t);
  w.truth.put(makeStay(2));
  await w.restart();
  assert.deepEqual(await aside(w), []);
  assert.equal((await w.store.db.selectFrom('stays').select('id').execute()).length, 2);
});

test('a row that upstream has no longer is let out by a complete reading', async (t) => {
  const w = await world(t);
  w.truth.stays.delete(2);
  assert.deepEqual(await retry(w), ['reservation']);
  assert.deepEqual(await aside(w), []);
});

test('a look-up lets out the row it could read', async (t) => {
  const w = await world(t);
  await w.store.db
    .insertInto('quarantine')
    .values({
      connection: CONNECTION,
      resource: 'reservation',
      key: '5-R000001',
      problem: 'number_of_guests: no number',
      first_seen_at: '2026-11-20T12:00:00.000Z' as never,
      last_seen_at: '2026-11-20T12:00:00.000Z' as never,
      times: 1,
      raw: null,
    })
    .execute();
  w.truth.patch(1, { number_of_guests: 3 });
  await w.send(reservationEvent(makeStay(1)));
  await w.quiet();
  const keys = await w.store.db.selectFrom('quarantine').select('key').execute();
  assert.ok(!keys.some(({ key }) => key === '5-R000001'));
});
