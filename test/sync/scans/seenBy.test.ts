import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { reservationEvent, transactionEvent } from '../../support/events.ts';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { makeProperty, makeStay, makeTransaction } from '../../support/rows.ts';

async function world(t: TestContext): Promise<World> {
  const w = await openWorld();
  t.after(() => w.close());
  return w;
}

async function creation(w: World, resource: string, key: string) {
  const changes = await w.daemon.feed(CONNECTION).read(0, 10_000);
  const change = changes.find((one) => one.resource === resource && one.key === key && one.op === 'created');
  return change && { seen_by: change.seen_by, events: JSON.parse(change.event_ids) as unknown };
}

test('a booking found because its payment was announced first says so, and names no event', async (t) => {
  const w = await world(t);
  const stay = makeStay(1);
  w.truth.put(stay);
  w.truth.transactions.set(1, makeTransaction(1, { reservation_code: stay.reservation_code }));
  const payment = transactionEvent(1);
  await w.send(payment);
  await w.quiet();
  assert.deepEqual(await creation(w, 'transaction', '1'), { seen_by: 'event', events: [payment.event_id] });
  assert.deepEqual(await creation(w, 'reservation', stay.reservation_code), { seen_by: 'related', events: [] });

  // Its own event comes late, and is done with without a change.
  await w.send(reservationEvent(stay, { event: 'reservation_created' }));
  await w.quiet();
  const states = await w.store.db.selectFrom('inbox').select('state').execute();
  assert.deepEqual(states, [{ state: 'done' }, { state: 'done' }]);
});

test('an event that comes before the read is linked, whoever asked for the read first', async (t) => {
  const w = await world(t);
  const stay = makeStay(1);
  w.truth.put(stay);
  w.truth.transactions.set(1, makeTransaction(1, { reservation_code: stay.reservation_code }));
  let released: () => void = () => {};
  const held = new Promise<void>((resolve) => (released = resolve));
  let isFirst = true;
  w.truth.fault = ({ path }) => {
    if (path !== '/reservations' || !isFirst) return undefined;
    isFirst = false;
    return { kind: 'late', until: held };
  };
  await w.send(transactionEvent(1));
  await w.clock.until(() => !isFirst, 'the read that the payment leads to');
  // Answered without the change of which the event speaks, since it was asked before.
  w.truth.patch(1, { number_of_guests: 4 });
  const event = reservationEvent(stay);
  await w.send(event);
  released();
  await w.quiet();
  const changes = await w.daemon.feed(CONNECTION).read(0, 10_000);
  const ofReservation = changes.filter((one) => one.resource === 'reservation');
  assert.deepEqual(
    ofReservation.map((one) => [one.op, one.seen_by, JSON.parse(one.event_ids)]),
    [
      ['created', 'related', []],
      ['updated', 'event', [event.event_id]],
    ],
  );
});

test('what is read because an announced row names it was seen by no event', async (t) => {
  const w = await world(t);
  w.truth.customChannels.set(5, 'Friends');
  w.truth.properties.set(9, makeProperty(9));
  const stay = makeStay(1, { property_id: 9, custom_channel: { id: 5, name: 'Friends' } });
  w.truth.put(stay);
  await w.send(reservationEvent(stay));
  await w.quiet();
  for (const [resource, key] of [
    ['custom_channel', '5'],
    ['property', '9'],
  ] as const) {
    assert.deepEqual(await creation(w, resource, key), { seen_by: 'related', events: [] }, resource);
  }
});
