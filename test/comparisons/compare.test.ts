import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type CalendarEvent, differencesOf, type MirroredProperty } from '../../src/comparisons/compare.ts';
import { addDays, type PlainDate } from '../../src/kernel/dates.ts';

const TODAY = '2027-03-01' as PlainDate;
const day = (offset: number): PlainDate => addDays(TODAY, offset);
const event = (from: number, to: number, kind: CalendarEvent['kind'] = 'reservation'): CalendarEvent => ({
  start: day(from),
  end: day(to),
  kind,
});
const stay = (stay_code: string, from: number, to: number) => ({
  stay_code,
  check_in_date: day(from),
  check_out_date: day(to),
});
const mirror = (over: Partial<MirroredProperty> = {}): MirroredProperty => ({
  stays: [],
  unplaced: [],
  closed: new Set(),
  ...over,
});
const found = (events: readonly CalendarEvent[], property: MirroredProperty) =>
  differencesOf(events, property, TODAY).map(({ known_to, stay_code, start_date, end_date, is_sold }) =>
    [known_to, stay_code ?? (is_sold === 1 ? 'guests' : 'closed'), start_date, end_date].join(' '),
  );

describe('the difference of a calendar and the mirror', () => {
  it('is a stay that only one of both knows', () => {
    const property = mirror({ stays: [stay('S1', 5, 8), stay('S2', 20, 22)] });
    assert.deepEqual(found([event(5, 8), event(10, 12)], property), [
      `calendar guests ${day(10)} ${day(12)}`,
      `mirror S2 ${day(20)} ${day(22)}`,
    ]);
  });

  it('is a night more on one side', () => {
    const property = mirror({ stays: [stay('S1', 5, 8)] });
    assert.deepEqual(found([event(5, 9)], property), [`calendar guests ${day(5)} ${day(9)}`]);
    assert.deepEqual(found([event(5, 7)], property), [`mirror S1 ${day(5)} ${day(8)}`]);
  });

  it('is no block of the host, and no night that is closed on both sides', () => {
    const property = mirror({ closed: new Set([day(30)]) });
    assert.deepEqual(found([event(10, 12, 'block'), event(30, 31, 'unknown')], property), []);
    assert.deepEqual(found([event(30, 32, 'unknown')], property), [`calendar closed ${day(30)} ${day(32)}`]);
  });

  it('is no stay whose nights the calendar closes in several pieces, or for whatever reason', () => {
    const property = mirror({ stays: [stay('S1', 5, 9)] });
    assert.deepEqual(found([event(5, 7, 'block'), event(7, 9, 'unknown')], property), []);
  });

  it('is no guest whose stay waits for a room', () => {
    assert.deepEqual(found([event(5, 8)], mirror({ unplaced: [stay('S1', 5, 8)] })), []);
    assert.deepEqual(found([event(5, 8)], mirror({ unplaced: [stay('S1', 6, 8)] })).length, 1);
  });

  it('says nothing of the past, of today’s night, and of what lies more than a year ahead', () => {
    assert.deepEqual(found([event(-5, 1), event(370, 372)], mirror({ stays: [stay('S1', -9, -6)] })), []);
    assert.deepEqual(found([], mirror({ stays: [stay('S2', 0, 1), stay('S3', 400, 401)] })), []);
  });

  it('keeps its name while the start of an event moves along with today', () => {
    const names = [0, 1, 2].map((offset) => {
      const now = day(offset);
      const moving: CalendarEvent = { start: now, end: day(9), kind: 'reservation' };
      return differencesOf([moving], mirror(), now).map(({ subject }) => subject);
    });
    assert.deepEqual(new Set(names.flat()).size, 1);
  });

  const spans = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 9 })), { maxLength: 30 })
    .map((gaps) => {
      let at = 1;
      return gaps.map(([gap, nights]) => {
        const from = at + gap;
        at = from + nights;
        return [from, at] as const;
      });
    });

  it('is nothing where both sides hold the same, whatever they hold', () => {
    fc.assert(
      fc.property(spans, (held) => {
        const property = mirror({ stays: held.map(([from, to], index) => stay(`S${index}`, from, to)) });
        const events = held.map(([from, to]) => event(from, to));
        assert.deepEqual(differencesOf(events, property, TODAY), []);
      }),
    );
  });

  it('names exactly what one side was relieved of', () => {
    fc.assert(
      fc.property(spans, fc.infiniteStream(fc.constantFrom('both', 'calendar', 'mirror')), (held, sides) => {
        const known = held.map((span) => ({ span, side: String(sides.next().value) }));
        const stays = known.flatMap(({ span: [from, to], side }, index) =>
          side === 'calendar' ? [] : [stay(`S${index}`, from, to)],
        );
        const events = known.flatMap(({ span: [from, to], side }) => (side === 'mirror' ? [] : [event(from, to)]));
        const expected = known
          .filter(({ span: [from], side }) => side !== 'both' && from <= 365)
          .map(({ span: [from, to], side }) => `${side} ${day(from)} ${day(to)}`);
        const actual = differencesOf(events, mirror({ stays }), TODAY).map(
          ({ known_to, start_date, end_date }) => `${known_to} ${start_date} ${end_date}`,
        );
        assert.deepEqual(actual.toSorted(), expected.toSorted());
      }),
    );
  });
});
