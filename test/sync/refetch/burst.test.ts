import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventId, messageEvent } from '../../support/events.ts';
import { CONNECTION, openWorld } from '../../support/mirror.ts';
import { makeStay, makeTransaction } from '../../support/rows.ts';
import { makeMessage, makeConversation } from '../../support/wireConversations.ts';

test('an import of many bookings is answered by scans, not by a look-up each', async (t) => {
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

test('the bookings of a small import are looked up within seconds, without a scan', async (t) => {
  const w = await openWorld();
  t.after(() => w.close());
  const BOOKINGS = 146;
  w.truth.taken.add('7 2027-05-01');
  const headers = { 'service-webhook-secret-token': w.truth.secret() };
  const accept = (event: object) => w.daemon.accept(CONNECTION, Buffer.from(JSON.stringify(event)), headers);
  for (let id = 1; id <= BOOKINGS; id += 1) {
    const stay = makeStay(id);
    w.truth.put(stay);
    const { reservation_code, stay_code } = stay;
    w.truth.transactions.set(id, makeTransaction(id, { reservation_code }));
    void accept({ event: 'reservation_created', event_id: eventId(), reservation_code, stay_code, property_id: 7 });
    void accept({ event: 'transaction_created', event_id: eventId(), transaction_id: id });
    const availabilities = [{ date: '2027-05-01', available: false }];
    void accept({ event: 'property_availability_updated', event_id: eventId(), property_id: 7, availabilities });
    await w.clock.run(4);
  }
  const last = w.clock.monotonic();
  await w.quiet();
  const late = w.clock.monotonic() - last;
  assert.ok(late < 5_000, `${late} ms`);
  assert.equal((await w.store.db.selectFrom('stays').select('id').execute()).length, BOOKINGS);
  const scans = await w.store.db.selectFrom('scans').select('resource').where('purpose', '=', 'burst').execute();
  assert.deepEqual(scans, []);
});

test('a burst that pauses again and again is scanned, not looked up', async (t) => {
  const w = await openWorld();
  t.after(() => w.close());
  const headers = { 'service-webhook-secret-token': w.truth.secret() };
  const before = w.truth.count();
  const SHORT_BURSTS = 12;
  const KEYS = 250;
  for (let id = 1; id <= SHORT_BURSTS * KEYS; id += 1) {
    const stay = makeStay(id);
    w.truth.put(stay);
    const { reservation_code, stay_code } = stay;
    const event = { event: 'reservation_created', event_id: eventId(), reservation_code, stay_code, property_id: 7 };
    void w.daemon.accept(CONNECTION, Buffer.from(JSON.stringify(event)), headers);
    if (id % KEYS === 0) await w.clock.run(1_500);
  }
  await w.quiet();
  const requests = w.truth.count() - before;
  assert.ok(requests < 1_200, `${requests} requests`);
  assert.equal((await w.store.db.selectFrom('stays').select('id').execute()).length, SHORT_BURSTS * KEYS);
});

test('conversations, which no scan reads as a whole, are looked up however many wait', async (t) => {
  const w = await openWorld();
  t.after(() => w.close());
  const CONVERSATIONS = 900;
  const headers = { 'service-webhook-secret-token': w.truth.secret() };
  for (let id = 1; id <= CONVERSATIONS; id += 1) {
    w.truth.conversations.set(`c${id}`, makeConversation(`c${id}`, [makeMessage(`m${id}`)]));
    void w.daemon.accept(CONNECTION, Buffer.from(JSON.stringify(messageEvent(`c${id}`, `m${id}`))), headers);
  }
  await w.quiet();
  assert.equal((await w.store.db.selectFrom('messages').select('message').execute()).length, CONVERSATIONS);
});
