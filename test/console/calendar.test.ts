import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { lanesOf } from '../../src/console/calendar/spans.ts';
import { addDays } from '../../src/kernel/dates.ts';

const FROM = '2027-03-01';
const NIGHTS = 28;

/** One night: a stay of one of three, a block for one of two reasons, or free. */
const night = fc.constantFrom('a', 'b', 'c', 'closed:', 'closed:paint', '');

describe('the spans of a property', () => {
  it('cover each night that is taken or closed once, in order, and no other', () => {
    fc.assert(
      fc.property(fc.array(night, { minLength: NIGHTS, maxLength: NIGHTS }), (nights) => {
        const at = (index: number) => addDays(FROM, index);
        const stays = nights.flatMap((code, index) =>
          code.length === 1 ? [{ night: at(index), stay_code: code, guest: `Guest ${code}` }] : [],
        );
        // A night of a stay is closed as well.
        const closed = nights.flatMap((code, index) =>
          code === '' ? [] : [{ date: at(index), remarks: code.split(':')[1] || null }],
        );
        const lanes = lanesOf(FROM, stays.toReversed(), closed);
        assert.ok(lanes.length <= 1);
        const spans = lanes.flat();
        const covered = spans.flatMap(({ first, nights: count, kind, stay_code, text }) =>
          Array.from({ length: count }, (_, index) => [
            first + index,
            kind === 'stay' ? stay_code : `closed:${text ?? ''}`,
          ]),
        );
        assert.deepEqual(
          covered,
          nights.flatMap((code, index) => (code === '' ? [] : [[index, code]])),
        );
        for (const [index, span] of spans.entries()) {
          const before = spans[index - 1];
          const touches = before && before.first + before.nights === span.first;
          assert.ok(
            !touches || before.stay_code !== span.stay_code || before.text !== span.text,
            'as long as it can be',
          );
        }
      }),
    );
  });

  it('of two stays on one night stand in lanes of their own, and say so', () => {
    const nightsOf = (stay_code: string, first: number, count: number) =>
      Array.from({ length: count }, (_, index) => {
        return { night: addDays(FROM, first + index), stay_code, guest: stay_code };
      });
    const lanes = lanesOf(FROM, [...nightsOf('a', 0, 3), ...nightsOf('b', 2, 2), ...nightsOf('c', 4, 1)], []);
    const said = lanes.map((lane) => lane.map(({ text, first, nights, isDouble }) => [text, first, nights, isDouble]));
    assert.deepEqual(said, [
      [
        ['a', 0, 3, true],
        ['c', 4, 1, false],
      ],
      [['b', 2, 2, true]],
    ]);
  });
});
