import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { authStatuses } from '../../src/contract/channelAccounts.ts';
import { shelfStatuses } from '../../src/contract/listings.ts';
import { stretchesOf } from '../../src/core/channels/cascade.ts';
import { channelAccountLife, floorPrice, listingLife } from '../../src/core/channels/rules.ts';
import { requireMove } from '../../src/core/requireMove.ts';
import { finalStates, type Machine, mayGo, triggersOf } from '../../src/kernel/transitions.ts';
import { addDays, datesFromTo } from '../../src/kernel/dates.ts';
import { ApiError } from '../../src/kernel/errors.ts';

const machines = [
  { machine: channelAccountLife as Machine, statuses: authStatuses },
  { machine: listingLife as Machine, statuses: shelfStatuses },
];

for (const { machine, statuses } of machines) {
  describe(`the life of a ${machine.name}`, () => {
    it('no sequence of triggers leaves its table', () => {
      fc.assert(
        fc.property(fc.array(fc.constantFrom(...triggersOf(machine)), { maxLength: 30 }), (sequence) => {
          let status: string | null = null;
          for (const trigger of sequence) {
            const from: string | null = status;
            if (mayGo(machine, from, trigger)) status = requireMove(machine, from, trigger);
            else {
              assert.throws(
                () => requireMove(machine, from, trigger),
                (error) => error instanceof ApiError && error.code === 400,
              );
            }
            assert.ok(status === null || statuses.some((one) => one === status));
          }
        }),
      );
    });
  });
}

describe('a deleted listing', () => {
  it('stays deleted', () => assert.deepEqual(finalStates(listingLife), ['deleted']));
});

describe('stretches', () => {
  it('hold exactly the dates given, in order, none touching the next', () => {
    const days = fc.array(fc.integer({ min: 0, max: 60 }).map((day) => addDays('2027-01-01', day)));
    fc.assert(
      fc.property(days, (dates) => {
        const ranges = stretchesOf(dates);
        const all = ranges.flatMap((range) => datesFromTo(range.start_date, range.end_date));
        assert.deepEqual(all, [...new Set(dates)].toSorted());
        ranges.forEach((range, index) => {
          const next = ranges[index + 1];
          assert.ok(!next || addDays(range.end_date, 1) < next.start_date);
        });
      }),
    );
  });
});

describe('the floor price', () => {
  it('is never more than the price, and all of it without commission', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.integer({ min: 0, max: 100 }), (price, percent) => {
        assert.ok(floorPrice(price, percent) <= price);
        assert.equal(floorPrice(price, 0), price);
      }),
    );
  });
});
