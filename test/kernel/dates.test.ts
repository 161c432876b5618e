import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import {
  addDays,
  addDaysWithin,
  addYears,
  dateIn,
  dateOfDay,
  datesFromTo,
  dayNumber,
  daysBetween,
  endOfDay,
  instantOf,
  instantWithin,
  isPlainDate,
  isTimeZone,
  LAST_DATE,
  lastDayOfMonth,
  monthsBetween,
  msOf,
  nightsOf,
  readInstant,
  startOfDay,
  withOffset,
} from '../../src/kernel/dates.ts';

/** Half-hour DST, +14, midnight changes, an abolished DST, a skipped day. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Africa/Cairo',
  'America/Asuncion',
  'Pacific/Apia',
  'Asia/Kathmandu',
];
const YEAR_2100 = Date.UTC(2100, 0, 1);

const anyDate = fc
  .integer({ min: Date.UTC(1900, 0, 1) / 86_400_000, max: Date.UTC(2200, 0, 1) / 86_400_000 })
  .map((day) => dateOfDay(day));
const anyZone = fc.constantFrom(...ZONES);

/** Moments around every change of offset in the zones, and between them. */
const zonedMoment = fc.oneof(
  ...ZONES.map((zone) => {
    const changes = changesOf(zone);
    const free = fc.integer({ min: 0, max: YEAR_2100 });
    const away = fc.constantFrom(-86_400_000, -3_600_000, -1_000, -1, 0, 1, 1_000, 3_600_000);
    const near = fc.tuple(fc.constantFrom(0, ...changes), away).map(([change, ms]) => change + ms);
    return fc.oneof(near, near, free).map((ms) => ({ zone, ms }));
  }),
);

function changesOf(zone: string): number[] {
  const changes: number[] = [];
  let at: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
  for (let count = 0; at && count < 150; count += 1) {
    at = at.getTimeZoneTransition('next');
    if (at) changes.push(at.epochMilliseconds);
  }
  return changes.filter((ms) => ms < YEAR_2100);
}

test('adding and counting days are inverses', () => {
  fc.assert(
    fc.property(anyDate, fc.integer({ min: -40_000, max: 40_000 }), (date, days) => {
      const moved = addDays(date, days);
      return (
        daysBetween(date, moved) === days &&
        addDays(moved, -days) === date &&
        dateOfDay(dayNumber(date)) === date &&
        moved === Temporal.PlainDate.from(date).add({ days }).toString() &&
        date < moved === days > 0
      );
    }),
  );
});

test('nights and ranges', () => {
  fc.assert(
    fc.property(anyDate, fc.integer({ min: 0, max: 400 }), (date, days) => {
      const checkOut = addDays(date, days);
      const nights = nightsOf(date, checkOut);
      return (
        nights.length === days &&
        datesFromTo(date, checkOut).length === days + 1 &&
        (days === 0 || (nights[0] === date && nights.at(-1) === addDays(checkOut, -1))) &&
        nights.every((night, index) => night === addDays(date, index))
      );
    }),
  );
  assert.deepEqual(datesFromTo('2026-03-01', '2026-02-28'), []);
  assert.deepEqual(nightsOf('2026-03-01', '2026-02-01'), []);
});

test('leap days', () => {
  const rows: [string, boolean][] = [
    ['2024-02-29', true],
    ['2023-02-29', false],
    ['2000-02-29', true],
    ['1900-02-29', false],
    ['2100-02-29', false],
    ['2024-02-30', false],
  ];
  for (const [date, exists] of rows) assert.equal(isPlainDate(date), exists, date);
  assert.equal(addDays('2024-02-28', 1), '2024-02-29');
  assert.equal(addDays('2023-02-28', 1), '2023-03-01');
  assert.equal(addYears('2024-02-29', 1), '2025-02-28');
  assert.equal(addYears('2024-02-29', 4), '2028-02-29');
  assert.equal(addYears('2024-02-29', -1), '2023-02-28');
});

test('what lies beyond the years 100 to 9999 is refused, never taken for another date', () => {
  for (const [what, beyond] of Object.entries({
    'the day after the last': () => addDays(LAST_DATE, 1),
    'the month after the last': () => addDays('9999-12-28', 4),
    'the year after the last': () => addYears(LAST_DATE, 1),
    'a year of five digits': () => dayNumber('+010000-01-01'),
    'a year before Christ': () => dayNumber('-000001-01-01'),
    'a year that JavaScript takes for another': () => dayNumber('0050-01-01'),
    'the day before the first': () => addDays('0100-01-01', -1),
    'no date': () => dayNumber('soon'),
    'a moment of the year 10000': () => instantOf(Date.UTC(10_000, 0, 1)),
    'all dates there are': () => datesFromTo('2026-01-01', LAST_DATE),
  })) {
    assert.throws(beyond, RangeError, what);
  }
  assert.equal(readInstant('9999-12-31T23:30:00-05:00', 'UTC'), undefined);
  assert.equal(addDaysWithin(LAST_DATE, 5), LAST_DATE);
  assert.equal(addDaysWithin('2026-12-31', 1), '2027-01-01');
  assert.equal(instantWithin(Date.UTC(12_000, 0, 1)), '9999-12-31T23:59:59.999Z');
  assert.equal(dateIn('Asia/Tokyo', Date.UTC(9999, 11, 31, 23)), LAST_DATE);
});

test('months end where Temporal says', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_200, max: 9_999 * 12 + 11 }), (months) => {
      const month = Temporal.PlainYearMonth.from({ year: Math.floor(months / 12), month: (months % 12) + 1 });
      const last = month.toPlainDate({ day: month.daysInMonth });
      return lastDayOfMonth(month.toString()) === last.toString();
    }),
  );
  assert.equal(lastDayOfMonth('9999-12'), LAST_DATE);
  assert.equal(monthsBetween('2027-11', '2028-02'), 3);
  assert.equal(monthsBetween('2028-02', '2027-11'), -3);
});

test('the last moment of a day is the one before the next', () => {
  fc.assert(
    fc.property(
      anyDate,
      anyZone,
      (date, zone) => msOf(endOfDay(date, zone)) + 1 === msOf(startOfDay(addDays(date, 1), zone)),
    ),
  );
  assert.equal(endOfDay(LAST_DATE, 'Europe/Berlin'), '9999-12-31T23:59:59.999Z');
});

test('isPlainDate agrees with Temporal', () => {
  const two = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'));
  const four = fc.integer({ min: 100, max: 9_999 }).map((n) => String(n).padStart(4, '0'));
  const shaped = fc.tuple(four, two(14), two(33)).map((parts) => parts.join('-'));
  fc.assert(
    fc.property(fc.oneof(shaped, shaped, fc.string()), (text) => isPlainDate(text) === temporalAccepts(text)),
    { numRuns: 2_000 },
  );
  for (const text of ['', '2026-1-1', '2026-01-01T00:00', ' 2026-01-01', '2026-01-01\n', '+002026-01-01', '20260101']) {
    assert.equal(isPlainDate(text), false, JSON.stringify(text));
  }
});

function temporalAccepts(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  try {
    Temporal.PlainDate.from(text, { overflow: 'reject' });
    return true;
  } catch {
    return false;
  }
}

test('withOffset and dateIn agree with Temporal, around every change of offset', () => {
  fc.assert(
    fc.property(zonedMoment, ({ zone, ms }) => {
      const zoned = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
      const options = { timeZoneName: 'never', fractionalSecondDigits: 0, roundingMode: 'floor' } as const;
      assert.equal(withOffset(instantOf(ms), zone), zoned.toString(options), `${zone} ${ms}`);
      assert.equal(dateIn(zone, ms), zoned.toPlainDate().toString(), `${zone} ${ms}`);
    }),
    { numRuns: 3_000 },
  );
});

test('what withOffset writes, readInstant reads, in any zone', () => {
  fc.assert(
    fc.property(zonedMoment, anyZone, ({ zone, ms }, other) => {
      const whole = Math.floor(ms / 1_000) * 1_000;
      return readInstant(withOffset(instantOf(whole), zone), other) === instantOf(whole);
    }),
  );
});

test('instants are text with milliseconds that sorts', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: YEAR_2100 }), fc.integer({ min: 0, max: YEAR_2100 }), (a, b) => {
      return msOf(instantOf(a)) === a && instantOf(a) < instantOf(b) === a < b;
    }),
  );
});

test('known wall clocks', () => {
  const rows: [string, string, string][] = [
    ['2026-11-20T12:00:00.000Z', 'Europe/Berlin', '2026-11-20T13:00:00+01:00'],
    ['2026-03-29T00:59:59.999Z', 'Europe/Berlin', '2026-03-29T01:59:59+01:00'],
    ['2026-03-29T01:00:00.000Z', 'Europe/Berlin', '2026-03-29T03:00:00+02:00'],
    ['2026-10-25T00:59:59.000Z', 'Europe/Berlin', '2026-10-25T02:59:59+02:00'],
    ['2026-10-25T01:00:00.000Z', 'Europe/Berlin', '2026-10-25T02:00:00+01:00'],
    ['2026-01-01T00:00:00.000Z', 'Australia/Lord_Howe', '2026-01-01T11:00:00+11:00'],
    ['2026-07-01T00:00:00.000Z', 'Australia/Lord_Howe', '2026-07-01T10:30:00+10:30'],
    ['2026-07-01T10:00:00.000Z', 'Pacific/Kiritimati', '2026-07-02T00:00:00+14:00'],
    ['2011-12-30T09:59:59.000Z', 'Pacific/Apia', '2011-12-29T23:59:59-10:00'],
    ['2011-12-30T10:00:00.000Z', 'Pacific/Apia', '2011-12-31T00:00:00+14:00'],
    ['2026-07-01T00:00:00.000Z', 'America/New_York', '2026-06-30T20:00:00-04:00'],
  ];
  for (const [instant, zone, text] of rows) assert.equal(withOffset(instant, zone), text);
});

test('readInstant: rows', () => {
  const rows: [string, string, string | undefined][] = [
    ['2026-11-20T12:00:00+01:00', 'America/New_York', '2026-11-20T11:00:00.000Z'],
    ['2026-11-20T12:00:00Z', 'America/New_York', '2026-11-20T12:00:00.000Z'],
    ['2026-11-20t12:00:00z', 'America/New_York', '2026-11-20T12:00:00.000Z'],
    ['2026-11-20T12:00:00+0100', 'America/New_York', '2026-11-20T11:00:00.000Z'],
    ['2026-11-20 12:00:00+01', 'America/New_York', '2026-11-20T11:00:00.000Z'],
    ['2026-11-20T12:00:00-05', 'Europe/Berlin', '2026-11-20T17:00:00.000Z'],
    ['2026-11-20T12:00+01:00[Europe/Berlin]', 'America/New_York', undefined],
    ['2026-11-20T12:00[Europe/Berlin]', 'America/New_York', undefined],
    ['2026-11-20 12:00:00', 'Europe/Berlin', '2026-11-20T11:00:00.000Z'],
    ['2026-11-20T12:00', 'Europe/Berlin', '2026-11-20T11:00:00.000Z'],
    ['2026-11-20T12:00:00.5', 'Europe/Berlin', '2026-11-20T11:00:00.500Z'],
    [' 2026-11-20 ', 'Europe/Berlin', '2026-11-19T23:00:00.000Z'],
    // Skipped: moves forward by the gap.
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z'],
    ['2026-04-24T00:30', 'Africa/Cairo', '2026-04-23T22:30:00.000Z'],
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
    ['2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z'],
    // Repeated: the first.
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
    ['', 'Europe/Berlin', undefined],
    ['soon', 'Europe/Berlin', undefined],
    ['12:00', 'Europe/Berlin', undefined],
    ['2026-11', 'Europe/Berlin', undefined],
    ['2026-02-30T12:00', 'Europe/Berlin', undefined],
    ['2026-11-20T25:00', 'Europe/Berlin', undefined],
    ['2026-11-20T12:00+25:00', 'Europe/Berlin', undefined],
    ['2026-11-20T12:00', 'No/Where', undefined],
  ];
  for (const [text, zone, expected] of rows) assert.equal(readInstant(text, zone), expected, `${text} in ${zone}`);
});

test('readInstant never throws', () => {
  fc.assert(fc.property(fc.string(), fc.string(), (text, zone) => typeof readInstant(text, zone) !== 'number'));
});

test('a wall-clock time read in a zone is written there again, unless the zone skips it', () => {
  fc.assert(
    fc.property(zonedMoment, ({ zone, ms }) => {
      const local = new Date(Math.floor(ms / 1_000) * 1_000).toISOString().slice(0, 19);
      const read = readInstant(local, zone);
      assert.ok(read !== undefined);
      const expected = Temporal.PlainDateTime.from(local).toZonedDateTime(zone);
      assert.equal(msOf(read), expected.epochMilliseconds);
      const back = withOffset(read, zone).slice(0, 19);
      assert.equal(back, expected.toPlainDateTime().toString({ fractionalSecondDigits: 0 }));
      assert.ok(back >= local);
    }),
  );
});

test('startOfDay is the first moment that has the date, also where midnight is skipped', () => {
  fc.assert(
    fc.property(zonedMoment, ({ zone, ms }) => {
      const date = dateIn(zone, ms);
      const start = msOf(startOfDay(date, zone));
      return dateIn(zone, start) === date && dateIn(zone, start - 1) < date && start <= ms;
    }),
  );
  assert.equal(startOfDay('2026-04-24', 'Africa/Cairo'), '2026-04-23T22:00:00.000Z');
});

test('isTimeZone', () => {
  for (const zone of ZONES) assert.equal(isTimeZone(zone), true, zone);
  for (const zone of ['', 'Mars/Olympus', 'Europe', '../etc', ' Europe/Berlin']) assert.equal(isTimeZone(zone), false);
});
