import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { plan } from '../../src/sandbox/simulation/plan.ts';
import { addDays } from '../../src/kernel/dates.ts';

const TODAY = '2026-11-20';
const order = fc.record({
  days: fc.integer({ min: 1, max: 90 }),
  properties: fc.integer({ min: 1, max: 5 }),
  seed: fc.nat(),
});
const ENDS = ['cancel', 'give_up', 'decline', 'lapse'];

describe('the plan of a simulation', () => {
  it('follows from the order alone, and another seed gives another one', () => {
    fc.assert(
      fc.property(order, (one) => assert.deepEqual(plan(one, TODAY), plan(one, TODAY))),
      { numRuns: 30 },
    );
    const wide = { days: 60, properties: 5 };
    assert.notDeepEqual(plan({ ...wide, seed: 1 }, TODAY), plan({ ...wide, seed: 2 }, TODAY));
  });

  it('arrivals lie in the days asked for, around today, each booked before it and not later than today', () => {
    fc.assert(
      fc.property(order, (one) => {
        const { properties, bookings } = plan(one, TODAY);
        assert.equal(properties.length, one.properties);
        const first = addDays(TODAY, -Math.floor(one.days / 2));
        for (const booking of bookings) {
          const { check_in_date, day } = booking;
          assert.ok(first <= check_in_date && check_in_date < addDays(first, one.days), check_in_date);
          assert.ok(booking.check_out_date > check_in_date);
          assert.ok(day <= 0 && addDays(TODAY, day) <= check_in_date);
          assert.ok(properties[booking.property]?.channels.includes(booking.channel));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('time goes forward, up to today: nothing befalls a booking before it is made, or after it has ended', () => {
    fc.assert(
      fc.property(order, (one) => {
        const { bookings, timeline } = plan(one, TODAY);
        let day = Number.NEGATIVE_INFINITY;
        const made = new Set<number>();
        const ended = new Set<number>();
        for (const happening of timeline) {
          assert.ok(happening.day >= day && happening.day <= 0);
          day = happening.day;
          if (happening.what === 'book') made.add(happening.booking);
          if (happening.what !== 'step') continue;
          assert.ok(made.has(happening.booking) && !ended.has(happening.booking));
          if (ENDS.includes(happening.step.kind)) ended.add(happening.booking);
        }
        assert.equal(made.size, bookings.length);
      }),
      { numRuns: 50 },
    );
  });

  it('people review each other once the stay is over, and only the booking site waits for its payment', () => {
    fc.assert(
      fc.property(order, (one) => {
        for (const { steps, check_in_date, check_out_date, kind, channel } of plan(one, TODAY).bookings) {
          assert.ok(kind !== 'unpaid' || channel === 'booking_site');
          const altered = steps.find(({ step }) => step.kind === 'alter')?.step;
          const end = altered?.kind === 'alter' ? addDays(check_in_date, altered.nights) : check_out_date;
          for (const { day, step } of steps) {
            if (step.kind.endsWith('review')) assert.ok(addDays(TODAY, day) >= end, `${step.kind} before ${end}`);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  it('a year of fifty properties holds everything that can happen', () => {
    const { bookings, timeline } = plan({ days: 365, properties: 50, seed: 1 }, TODAY);
    const happened = new Set(
      timeline.flatMap((one) => {
        if (one.what === 'book') return bookings[one.booking]?.kind ?? [];
        if (one.step.kind === 'deposit') return `deposit ${one.step.event}`;
        if (one.step.kind === 'push') return `push ${one.step.outcome}`;
        if (one.step.kind === 'auth') return one.step.trigger === 'recover' ? 'recovered' : 'broken';
        return one.step.kind === 'shelf' ? one.step.trigger : one.step.kind;
      }),
    );
    const expected = [
      'instant request unpaid approve decline give_up lapse cancel alter pay message details register guide_image',
      'stay_status announce_review review host_review reply set_prices set_restrictions block edit_calendar',
      'edit_settings take_off publish broken recovered',
    ].flatMap((names) => names.split(' '));
    for (const event of ['required', 'paid', 'deducted', 'refunded', 'returned']) expected.push(`deposit ${event}`);
    for (const outcome of ['failed', 'warning']) expected.push(`push ${outcome}`);
    assert.deepEqual(
      expected.filter((one) => !happened.has(one)),
      [],
    );
    const ends = new Set(bookings.flatMap(({ offer }) => (offer ? [offer.end] : [])));
    assert.deepEqual([...ends].toSorted(), ['accept', 'decline', 'leave', 'withdraw']);
    assert.ok(bookings.some(({ further }) => further !== null));
  });
});
