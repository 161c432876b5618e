import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { lastWords } from '../../src/core/channels/reservations/lastWords.ts';
import { addDays, datesFromTo } from '../../src/kernel/dates.ts';

const range = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 30 })).map(([from, length]) => {
  const start_date = addDays('2027-02-20', from);
  return { start_date, end_date: addDays(start_date, length) };
});

test('of ranges that overlap the later one decides a day, as it would if they were written one after the other', () => {
  fc.assert(
    fc.property(fc.array(range, { maxLength: 20 }), (ranges) => {
      const written = new Map<string, unknown>();
      for (const one of ranges) {
        for (const date of datesFromTo(one.start_date, one.end_date)) written.set(date, one);
      }
      const decided = lastWords(ranges);
      assert.equal(decided.size, written.size);
      for (const [date, one] of decided) assert.equal(one, written.get(date), date);
    }),
  );
});
