import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { beginPayment } from '../../../src/channels/direct/payments/begin.ts';
import { receivePayment } from '../../../src/channels/direct/payments/receive.ts';
import { refundByHand } from '../../../src/channels/direct/payments/refunds.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { DirectWorld } from './support/world.ts';

const MANY = 20;

describeOnPostgres('direct bookings on PostgreSQL, where transactions run at the same time', () => {
  let server: TestPostgres;
  let world: DirectWorld;
  before(async () => {
    server = await startPostgres();
    world = await DirectWorld.start({}, { kind: 'postgres', url: await server.freshDatabase(), schema: 'core' });
  });
  after(async () => {
    await world.close();
    await server.stop();
  });

  it('one of twenty guests gets the last nights, and the others read why', async () => {
    const quotes = await Promise.all(Array.from({ length: MANY }, () => world.quote(150, 153)));
    const held = await Promise.all(quotes.map((kept) => world.hold(kept)));
    assert.equal(held.filter((one) => 'booking' in one).length, 1);
    assert.equal(held.filter((one) => 'refused' in one && one.refused === 'taken').length, MANY - 1);
  });

  it('a quote that is booked many times at once is one booking, one payment and one entry', async () => {
    const kept = await world.quote(160, 163);
    const held = await Promise.all(Array.from({ length: MANY }, () => world.hold(kept, { method: 'stripe' })));
    const bookings = held.flatMap((one) => ('booking' in one ? [one.booking] : []));
    assert.equal(bookings.length, MANY);
    assert.equal(new Set(bookings.map((one) => one.reservation_code)).size, 1);
    const [booking] = bookings;
    assert.ok(booking);
    await Promise.all(Array.from({ length: MANY }, () => beginPayment(world.work, booking, 'due')));
    assert.equal(world.stripe.sessions.size, 1);
    const [payment] = await world.payments(booking);
    assert.ok(payment);
    const arrival = { amount: payment.amount, currency: 'EUR', intentId: 'pi_1' };
    await Promise.all(Array.from({ length: MANY }, () => receivePayment(world.core.core, payment, arrival)));
    assert.deepEqual(await world.ledger(booking), [140]);
    assert.equal((await world.shown(booking)).status, 'accepted');
    const refunds = Array.from({ length: MANY }, () =>
      refundByHand(world.work, world.who, booking.reservation_code, { amount: 100_00, known: 0 }).catch(
        () => 'refused',
      ),
    );
    assert.equal((await Promise.all(refunds)).filter((one) => one === 'refused').length, MANY - 1);
    assert.equal((await world.refunds(booking)).length, 1);
  });
});
