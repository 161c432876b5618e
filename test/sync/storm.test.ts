import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventId } from '../support/events.ts';
import { CONNECTION, openWorld } from '../support/mirror.ts';
import { makeStay, makeTransaction } from '../support/rows.ts';

test('an import of many bookings is answered by walks, not by a look-up each', async (t) => {
  const w = await openWorld();
  t.after(() => w.close());
  const BOOKINGS = 3_000;
  const before = w.truth.count();
  const headers = { 'service-webhook-secret-token': w.truth.secret() };
  const accept = (event: object) => w.daemon.accept(CONNECTION, Buffer.from(JSON.stringify(event)), headers);
  for (let id = 1; id <= BOOKINGS; id += 1) {
    const stay = makeStay(id, { check_out_date: `2016-${String(1 + (id % 12)).padStart(2, '0')}-15` });
    w.truth.put(stay);
    const { reservation_code, stay_code } = stay;
    void accept({ event: 'reservation_created', event_id: eventId(), reservation_code, stay_code, property_id: 7 });
    const availabilities = [{ date: '2016-05-01', available: false }];
    void accept({ event: 'property_availability_updated', event_id: eventId(), property_id: 7, availabilities });
    if (id % 2 === 0) {
      w.truth.transactions.set(id, makeTransaction(id, { reservation_code }));
      void accept({ event: 'transaction_created', event_id: eventId(), transaction_id: id });
    }
    if (id % 20 === 0) await w.clock.run(20);
  }
  await w.quiet();
  const requests = w.truth.count() - before;
  assert.ok(requests < 600, `${requests} requests for ${BOOKINGS} bookings`);
  assert.equal((await w.store.db.selectFrom('stays').select('id').execute()).length, BOOKINGS);
  assert.equal((await w.store.db.selectFrom('transactions').select('id').execute()).length, BOOKINGS / 2);
  const states = await w.store.db
    .selectFrom('inbox')
    .select((eb) => ['state', eb.fn.countAll<number>().as('events')])
    .groupBy('state')
    .execute();
  assert.deepEqual(
    states.toSorted((a, b) => (a.state < b.state ? -1 : 1)),
    [
      { state: 'done', events: BOOKINGS * 1.5 },
      { state: 'unreadable', events: BOOKINGS },
    ],
  );
});
