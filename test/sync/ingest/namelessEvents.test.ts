import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { makeStay } from '../../support/rows.ts';

const MINUTE_MS = 60_000;

async function world(t: TestContext): Promise<World> {
  const w = await openWorld();
  t.after(() => w.close());
  return w;
}

/** As deployments send it that know neither ids nor times of events. */
async function tell(w: World, code: string): Promise<number> {
  const body = Buffer.from(JSON.stringify({ event: 'reservation_updated', reservation_code: code, stay_code: code }));
  let status = 0;
  const headers = { 'service-webhook-secret-token': w.truth.secret() };
  void w.daemon.accept(CONNECTION, body, headers)?.then((answer) => (status = answer.status));
  await w.clock.until(() => status !== 0, 'an answer');
  return status;
}

async function states(w: World): Promise<unknown[]> {
  return (await w.store.db.selectFrom('inbox').select(['event_id', 'state']).execute()).map(({ state }) => state);
}

async function guests(w: World): Promise<unknown> {
  const row = await w.store.db.selectFrom('stays').select('number_of_guests').executeTakeFirst();
  return row?.number_of_guests;
}

test('an event without id, sub_event and timestamp is taken in and read for, its copies once', async (t) => {
  const w = await world(t);
  const stay = makeStay(1);
  w.truth.put(stay);
  const before = w.truth.count('/reservations');
  const answers = await Promise.all(Array.from({ length: 5 }, () => tell(w, stay.reservation_code)));
  assert.deepEqual(new Set(answers), new Set([200]));
  await w.quiet();
  assert.equal((await w.store.db.selectFrom('stays').select('id').execute()).length, 1);
  assert.deepEqual(await states(w), ['done']);
  assert.ok(w.truth.count('/reservations') - before <= 3, 'one look, and the ones that confirm it');
});

test('the same words a moment after they were read for tell of another change: nothing is lost', async (t) => {
  const w = await world(t);
  const stay = makeStay(1);
  w.truth.put(stay);
  await tell(w, stay.reservation_code);
  await w.quiet();
  w.truth.patch(1, { number_of_guests: 4 });
  await tell(w, stay.reservation_code);
  await w.quiet();
  assert.equal(await guests(w), 4);
  assert.deepEqual(await states(w), ['done'], 'within the window it is one event');
});

test('after the window the same content is an event of its own, and so is any after a restart', async (t) => {
  const w = await world(t);
  const stay = makeStay(1);
  w.truth.put(stay);
  await tell(w, stay.reservation_code);
  await w.quiet();
  await w.clock.advance(4 * MINUTE_MS);
  w.truth.patch(1, { number_of_guests: 5 });
  await tell(w, stay.reservation_code);
  await w.quiet();
  assert.equal(await guests(w), 5);
  assert.deepEqual(await states(w), ['done', 'done']);
  await w.restart();
  await tell(w, stay.reservation_code);
  await w.quiet();
  assert.deepEqual(await states(w), ['done', 'done', 'done']);
});
