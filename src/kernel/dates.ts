import { Temporal } from 'temporal-polyfill';

/** A calendar date, `YYYY-MM-DD`. Nights and stays are dates; they have no time and no zone. */
export type PlainDate = string;
/** A moment as UTC text with milliseconds, `2026-11-20T12:00:00.000Z`. Sorts as text. */
export type Instant = string;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAY_MS = 86_400_000;

/** The last date: dates are compared as text, which works only for years of four digits. */
export const LAST_DATE: PlainDate = '9999-12-31';
/** The first year: `Date.UTC` reads years below 100 as those of the last century. */
const FIRST_YEAR = 100;
const FIRST_DAY = Date.UTC(FIRST_YEAR, 0, 1) / DAY_MS;
const LAST_DAY = Date.UTC(9999, 11, 31) / DAY_MS;
const FIRST_MS = FIRST_DAY * DAY_MS;
const LAST_MS = (LAST_DAY + 1) * DAY_MS - 1;

/** Returns true for an existing date, written `YYYY-MM-DD`; the years are 100 to 9999. */
export function isPlainDate(text: string): boolean {
  const match = DATE.exec(text);
  if (!match) return false;
  const ms = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
  return new Date(ms).toISOString().startsWith(text);
}

/**
 * Returns the days since 1970-01-01, so that dates compare and subtract as integers. @throws RangeError for a text that
 * is no date
 */
export function dayNumber(date: PlainDate): number {
  const year = Number(date.slice(0, 4));
  const day = Date.UTC(year, Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10))) / DAY_MS;
  // Of a year of five digits only four would be read, and a loop towards it would never end.
  if (date[4] === '-' && year >= FIRST_YEAR && day >= FIRST_DAY && day <= LAST_DAY) return day;
  throw new RangeError(`"${date}" is no date of the years ${FIRST_YEAR} to 9999`);
}

/**
 * Returns the date of a day number, the inverse of {@link dayNumber}. @throws RangeError beyond the years 100 to 9999
 */
export function dateOfDay(day: number): PlainDate {
  if (day >= FIRST_DAY && day <= LAST_DAY) return new Date(day * DAY_MS).toISOString().slice(0, 10);
  throw new RangeError(`day ${day} is beyond the years ${FIRST_YEAR} to 9999`);
}

/**
 * Returns `date` moved by a whole number of days (negative: earlier). @throws RangeError beyond the years 100 to 9999
 */
export function addDays(date: PlainDate, days: number): PlainDate {
  return dateOfDay(dayNumber(date) + days);
}

/** Returns `date` moved by days, at most {@link LAST_DATE}; for dates from outside. */
export function addDaysWithin(date: PlainDate, days: number): PlainDate {
  return dateOfDay(Math.max(FIRST_DAY, Math.min(dayNumber(date) + days, LAST_DAY)));
}

/** Returns the whole days from `from` to `to`; negative if `to` is earlier. */
export function daysBetween(from: PlainDate, to: PlainDate): number {
  return dayNumber(to) - dayNumber(from);
}

/**
 * Returns the same day `years` later (29 February becomes the 28th). @throws RangeError beyond the years 100 to 9999
 */
export function addYears(date: PlainDate, years: number): PlainDate {
  dayNumber(date);
  const year = Number(date.slice(0, 4)) + years;
  const same = `${String(year).padStart(4, '0')}${date.slice(4)}`;
  const moved = isPlainDate(same) ? same : `${same.slice(0, 8)}28`;
  dayNumber(moved);
  return moved;
}

/** Returns the last day of a month, `2027-03`. @throws RangeError if it is no month of the years 100 to 9999 */
export function lastDayOfMonth(month: string): PlainDate {
  const first = dayNumber(`${month}-01`);
  const lengths = [31, 30, 29].map((length) => first + length - 1);
  const last = lengths.find((day) => day <= LAST_DAY && dateOfDay(day).startsWith(month)) ?? first + 27;
  return dateOfDay(last);
}

/** Returns the months from one month to another; negative if it is earlier. */
export function monthsBetween(from: string, to: string): number {
  return (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7));
}

/** The maximum length of a list of dates: some decades, while calendars cover three years. */
const MOST_DATES = 20_000;

/**
 * Returns every date from `first` to `last`, both included; empty if `last` is earlier.
 * @throws RangeError for more than {@link MOST_DATES}: callers must check ranges from outside before
 */
export function datesFromTo(first: PlainDate, last: PlainDate): PlainDate[] {
  const [start, end] = [dayNumber(first), dayNumber(last)];
  if (end - start >= MOST_DATES) throw new RangeError(`${first} to ${last} are more than ${MOST_DATES} dates`);
  const dates: PlainDate[] = [];
  for (let day = start; day <= end; day += 1) dates.push(dateOfDay(day));
  return dates;
}

/** Returns the nights of a stay: each date from check-in up to, not including, check-out. */
export function nightsOf(checkIn: PlainDate, checkOut: PlainDate): PlainDate[] {
  return datesFromTo(checkIn, addDays(checkOut, -1));
}

/**
 * Returns epoch milliseconds as {@link Instant} text. @throws RangeError beyond the year 9999, whose text does not sort
 */
export function instantOf(ms: number): Instant {
  const text = new Date(ms).toISOString();
  if (text.startsWith('+')) throw new RangeError(`${text} is beyond the year 9999`);
  return text;
}

/** Returns epoch milliseconds as {@link Instant} text, at most the last one; for moments from outside. */
export function instantWithin(ms: number): Instant {
  return instantOf(Math.max(FIRST_MS, Math.min(ms, LAST_MS)));
}

/** Returns the epoch milliseconds of {@link Instant} text. */
export function msOf(instant: Instant): number {
  return Date.parse(instant);
}

/** Returns true if `zone` is an IANA time zone that this machine knows. */
export function isTimeZone(zone: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return true;
  } catch {
    return false;
  }
}

interface OffsetSpan {
  from: number;
  to: number;
  offsetMs: number;
  suffix: string;
}

/** Spans of constant offset by zone, as a cache: a call of Temporal for each row of a list is too slow. */
const spansByZone = new Map<string, OffsetSpan[]>();

function offsetSpan(zone: string, ms: number): OffsetSpan {
  let spans = spansByZone.get(zone);
  if (!spans) spansByZone.set(zone, (spans = []));
  for (const span of spans) if (ms >= span.from && ms < span.to) return span;
  const zoned = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  const next = zoned.getTimeZoneTransition('next');
  // 'previous' is strictly before, so one nanosecond more includes a transition at `ms` itself.
  const previous = zoned.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  const span = {
    from: previous ? previous.epochMilliseconds : Number.NEGATIVE_INFINITY,
    to: next ? next.epochMilliseconds : Number.POSITIVE_INFINITY,
    offsetMs: zoned.offsetNanoseconds / 1e6,
    suffix: zoned.offset.slice(0, 6),
  };
  spans.push(span);
  return span;
}

/** Returns the calendar date in `zone` at a moment (epoch milliseconds). */
export function dateIn(zone: string, ms: number): PlainDate {
  return instantWithin(ms + offsetSpan(zone, ms).offsetMs).slice(0, 10);
}

/** Formats a moment with the offset of `zone`: `2026-11-20T13:00:00+01:00`. */
export function withOffset(instant: Instant, zone: string): string {
  const ms = msOf(instant);
  const span = offsetSpan(zone, ms);
  return instantWithin(ms + span.offsetMs).slice(0, 19) + span.suffix;
}

/** Matches also an offset of hours alone (`+01`), which Temporal would otherwise drop from wall-clock time. */
const HAS_OFFSET = /(?:[zZ]|[+-]\d{2}(?::?\d{2}){0,2})$/;

/**
 * Parses an ISO 8601 date-time. One without an offset is wall-clock time in `zone`: a time that the zone skips moves
 * forward by the gap, and of a repeated time the first counts. A bare date is its midnight.
 * @returns undefined if the text is no date-time of the years 100 to 9999
 */
export function readInstant(text: string, zone: string): Instant | undefined {
  try {
    const tidy = text.trim().replace(' ', 'T');
    // A zone or calendar in brackets may contradict `zone`; ISO 8601 has none.
    if (tidy.includes('[')) return undefined;
    const ms = HAS_OFFSET.test(tidy.slice(10))
      ? Temporal.Instant.from(tidy).epochMilliseconds
      : Temporal.PlainDateTime.from(tidy).toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds;
    return ms >= FIRST_MS && ms <= LAST_MS ? instantOf(ms) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the last moment of `date` in `zone`. */
export function endOfDay(date: PlainDate, zone: string): Instant {
  if (date >= LAST_DATE) return instantOf(LAST_MS);
  return instantOf(msOf(startOfDay(addDays(date, 1), zone)) - 1);
}

/** The distance from a change of offset at which midnight follows from the offset alone. */
const CLEAR_OF_CHANGES_MS = 2 * DAY_MS;

/** Returns midnight at the start of `date` in `zone`; if the zone skips it, the first moment of the date. */
export function startOfDay(date: PlainDate, zone: string): Instant {
  const midnight = dayNumber(date) * DAY_MS;
  const { from, to, offsetMs } = offsetSpan(zone, midnight);
  if (midnight - from > CLEAR_OF_CHANGES_MS && to - midnight > CLEAR_OF_CHANGES_MS) {
    return instantOf(midnight - offsetMs);
  }
  return instantOf(Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds);
}
