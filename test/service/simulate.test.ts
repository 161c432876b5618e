import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestService } from '../support/service.ts';

const ORDER = { days: 14, properties: 2, seed: 7 };

/** What a simulation does on a service of its own. */
async function simulated(order: typeof ORDER) {
  const service = await startTestService();
  try {
    const summary = await service.portal('POST', '/portal/sandbox/simulations', order);
    await service.settled();
    // Deposits, details and listings change without an event.
    await service.portal('POST', '/portal/reconcile', {});
    const { clean, resources } = await service.portal('POST', '/portal/verify', {});
    const prices = await service.rows('select rate from core.stays order by rate, check_in_date');
    return { summary, clean, resources, prices };
  } finally {
    await service.remove();
  }
}

describe('simulated traffic', () => {
  it('is the same for the same seed on two fresh services, and the mirror equals the core after each', async () => {
    const [first, second] = [await simulated(ORDER), await simulated(ORDER)];
    assert.deepEqual(first.summary, second.summary);
    assert.deepEqual(first.prices, second.prices);
    for (const { clean, resources } of [first, second]) assert.equal(clean, true, JSON.stringify(resources));
    const { actions, bookings } = first.summary;
    assert.ok(
      actions.open_house === ORDER.properties && actions.pay > 0 && actions.message > 0,
      JSON.stringify(actions),
    );
    assert.ok(bookings.accepted > 0, JSON.stringify(bookings));
    assert.equal(first.prices.length > 0, true);
  });
});
