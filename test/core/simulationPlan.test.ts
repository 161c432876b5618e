import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { plan } from '../../src/core/sandbox/simulation/plan.ts';
import { addDays, daysBetween } from '../../src/kernel/dates.ts';

const TODAY = '2026-11-20';
const order = fc.record({
  days: fc.integer({ min: 1, max: 60 }),
  properties: fc.integer({ min: 1, max: 5 }),
  seed: fc.nat(),
});

describe('the plan of a simulation', () => {
  it('follows from the order alone, and another seed gives another one', () => {
    fc.assert(
      fc.property(order, (one) => assert.deepEqual(plan(one, TODAY), plan(one, TODAY))),
      { numRuns: 30 },
    );
    const wide = { days: 60, properties: 5 };
    assert.notDeepEqual(plan({ ...wide, seed: 1 }, TODAY), plan({ ...wide, seed: 2 }, TODAY));
  });

  it('arrivals lie in the days asked for, each made before it, in the order of their making', () => {
    fc.assert(
      fc.property(order, (one) => {
        const { properties, bookings } = plan(one, TODAY);
        assert.equal(properties.length, one.properties);
        for (const [index, booking] of bookings.entries()) {
          assert.ok(booking.check_in_date < addDays(TODAY, one.days));
          assert.ok(daysBetween(booking.check_in_date, booking.check_out_date) >= 1);
          assert.ok(addDays(TODAY, -booking.booked_days_ago) <= booking.check_in_date);
          assert.ok(booking.booked_days_ago <= (bookings[index - 1]?.booked_days_ago ?? Number.POSITIVE_INFINITY));
          assert.ok(properties[booking.property]?.channels.includes(booking.channel));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('only who has left reviews, and only the booking site waits for its payment', () => {
    fc.assert(
      fc.property(order, (one) => {
        for (const { steps, check_out_date, kind, channel } of plan(one, TODAY).bookings) {
          const reviews = steps.some((step) => step.kind === 'review' || step.kind === 'announce_review');
          assert.ok(!reviews || check_out_date <= TODAY);
          assert.ok(kind !== 'unpaid' || channel === 'booking_site');
        }
      }),
      { numRuns: 50 },
    );
  });
});
