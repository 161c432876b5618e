import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readMapping } from '../../src/imports/readMapping.ts';
import { OperatorError } from '../../src/kernel/errors.ts';
import { hotelMapping } from './support/hotel.ts';

const small = `source: mine
format:
  dates: [DD.MM.YYYY]
booking:
  property: { column: Unit }
  check_in_date: { column: Arrival }
  check_out_date: { column: Departure }
  guest_name: { column: Guest, default: Guest }
`;

describe('a mapping', () => {
  it('that is shipped for the hotel data loads', () => {
    assert.equal(hotelMapping.source, 'hotel-bookings');
    assert.deepEqual(hotelMapping.format.nulls, ['NULL', 'NA']);
  });

  it('gets the usual format where it says nothing', () => {
    const { format, identity, shift_days, income } = readMapping(small, 'mine.yaml');
    assert.deepEqual(format, {
      delimiter: 'comma',
      encoding: 'utf-8',
      decimal: 'point',
      thousands: 'none',
      dates: ['DD.MM.YYYY'],
      months: 'en',
      nulls: [],
    });
    assert.deepEqual({ identity, shift_days, income }, { identity: 'row', shift_days: 0, income: [] });
  });

  /** What is put in for a line of the small mapping, and what must be said about it. */
  const mistakes: [line: string, instead: string, said: string][] = [
    ['source: mine', 'source: Mine!', 'line 1, source: use small letters'],
    ['source: mine', 'sources: mine', 'line 1, sources: unknown key'],
    ['  dates: [DD.MM.YYYY]', '  dates: [dd.mm.yyyy]', 'line 3, format.dates.0: write it with YYYY'],
    ['  dates: [DD.MM.YYYY]', '  dates: [DD/MM/YYYY, M/D/YYYY]', 'line 3, format.dates: two of these formats'],
    ['  dates: [DD.MM.YYYY]', '  decimal: coma', 'line 3, format.decimal:'],
    ['  dates: [DD.MM.YYYY]', '  { decimal: comma, thousands: comma }', 'format.thousands: the sign between'],
    ['  dates: [DD.MM.YYYY]', '  months: xx-klingon-1', 'format.months: give a language'],
    [
      '  check_in_date: { column: Arrival }',
      '  check_in_date: { colum: Arrival }',
      'line 6, booking.check_in_date: give',
    ],
    ['  check_in_date: { column: Arrival }', '', 'line 4, booking.check_in_date: missing'],
    [
      '  check_in_date: { column: Arrival }',
      '  check_in_date: { column: Arrival, value: "2026-01-01" }',
      'booking.check_in_date: give exactly one of: column, year, from, value',
    ],
    [
      '  check_in_date: { column: Arrival }',
      '  check_in_date: { column: Arrival, formats: [] }',
      'line 6, booking.check_in_date.formats: unknown key',
    ],
    [
      '  check_in_date: { column: Arrival }',
      '  check_in_date: { from: check_in_date, minus_days: X }',
      'booking.check_in_date.from: can only count from a check_out_date',
    ],
    ['  check_out_date: { column: Departure }', '', 'booking: give check_out_date or nights, or both'],
    ['  property: { column: Unit }', '', 'booking: give either property'],
    [
      '  property: { column: Unit }',
      '  property: { column: Unit }\n  status: { value: paid }',
      'line 6, booking.status.value',
    ],
    [
      '  property: { column: Unit }',
      '  property: { column: Unit }\n  total_amount: &t { column: T }\n  commission: *t\n  payout: *t',
      'line 8, booking.payout: give two of total_amount, commission and payout',
    ],
    [
      '  property: { column: Unit }',
      '  property: { column: Unit }\n  currency: { value: Euro }',
      'booking.currency.value: give an ISO 4217 code',
    ],
    [
      '  property: { column: Unit }',
      '  property: { column: Unit }\n  adults: { value: 1.5 }',
      'booking.adults.value: give a whole',
    ],
    ['booking:', 'booking: [', 'line 9: Flow sequence'],
    [
      'source: mine',
      'income: [{ when: { status: cancelled }, date: cancelled_at }]\nsource: mine',
      'line 1, income.0: income needs booking.total_amount',
    ],
  ];
  for (const [line, instead, said] of mistakes) {
    it(`with ${instead.trim() || `no ${line.trim()}`} is refused by line and key`, () => {
      assert.throws(
        () => readMapping(small.replace(line, instead), 'mine.yaml'),
        (error) =>
          error instanceof OperatorError &&
          error.message.startsWith('mine.yaml is not') &&
          error.message.includes(said),
        said,
      );
    });
  }

  it('lists several mistakes at once', () => {
    const text = small.replace('source: mine', 'sauce: mine').replace('format:', 'fromat:');
    assert.throws(() => readMapping(text, 'm.yaml'), /line 1, sauce: unknown key[^]*line 2, fromat: unknown key/);
  });

  it('may use anchors of YAML', () => {
    const text = small
      .replace('{ column: Arrival }', '&day { column: Arrival }')
      .replace('{ column: Departure }', '*day');
    assert.deepEqual(readMapping(text, 'm.yaml').booking.check_out_date, { column: 'Arrival' });
  });
});
