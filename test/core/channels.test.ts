import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { authStatuses } from '../../src/contract/channelAccounts.ts';
import { shelfStatuses } from '../../src/contract/listings.ts';
import { stretchesOf } from '../../src/core/channels/cascade.ts';
import { authMoved, authTransitions, floorPrice, shelfMoved, shelfTransitions } from '../../src/core/channels/rules.ts';
import { addDays, datesFromTo } from '../../src/kernel/dates.ts';
import { ApiError } from '../../src/kernel/errors.ts';

interface Machine {
  statuses: readonly string[];
  transitions: readonly { from: string | null; trigger: string; to: string }[];
  move(from: string | null, trigger: string): string;
}

const machines: Record<string, Machine> = {
  'a channel account': { statuses: authStatuses, transitions: authTransitions, move: authMoved as Machine['move'] },
  'a listing': { statuses: shelfStatuses, transitions: shelfTransitions, move: shelfMoved as Machine['move'] },
};

for (const [what, { statuses, transitions, move }] of Object.entries(machines)) {
  describe(`the life of ${what}`, () => {
    it('no sequence of triggers leaves its table', () => {
      const triggers = [...new Set(transitions.map((row) => row.trigger))];
      fc.assert(
        fc.property(fc.array(fc.constantFrom(...triggers), { maxLength: 30 }), (sequence) => {
          let status: string | null = null;
          for (const trigger of sequence) {
            const row = transitions.find((one) => one.from === status && one.trigger === trigger);
            if (!row) {
              assert.throws(
                () => move(status, trigger),
                (error) => error instanceof ApiError && error.code === 400,
              );
              continue;
            }
            status = move(status, trigger);
            assert.equal(status, row.to);
            assert.ok(statuses.includes(status));
          }
        }),
      );
    });

    it('each status can be reached, and a trigger leads to one only', () => {
      const reached = new Set<string | null>([null]);
      for (let size = -1; size !== reached.size;) {
        size = reached.size;
        for (const { from, to } of transitions) if (reached.has(from)) reached.add(to);
      }
      assert.deepEqual([...reached].filter((status) => status !== null).toSorted(), [...statuses].toSorted());
      const pairs = transitions.map(({ from, trigger }) => `${from} ${trigger}`);
      assert.equal(new Set(pairs).size, pairs.length);
    });
  });
}

describe('a deleted listing', () => {
  it('stays deleted', () =>
    assert.ok(!(shelfTransitions as Machine['transitions']).some((row) => row.from === 'deleted')));
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
