import { Temporal } from 'temporal-polyfill';

/** A calendar date, `YYYY-MM-DD`. Nights and stays are dates; they have no time and no zone. */
export type PlainDate = string;
/** A point in time as UTC text with milliseconds, `2026-11-20T12:00:00.000Z`. Sorts as text. */
export type Instant = string;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAY_MS = 86_400_000;

/** True for a date that exists, written `YYYY-MM-DD`. */
export function isPlainDate(text: string): boolean {
  const match = DATE.exec(text);
  if (!match) return false;
  const ms = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
  return new Date(ms).toISOString().startsWith(text);
}

/** Days since 1970-01-01; lets dates be compared and subtracted as integers. */
export function dayNumber(date: PlainDate): number {
  return Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10))) / DAY_MS;
}

/** The inverse of {@link dayNumber}. */
export function dateOfDay(day: number): PlainDate {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** `date` moved by a whole number of days (negative: earlier). */
export function addDays(date: PlainDate, days: number): PlainDate {
  return dateOfDay(dayNumber(date) + days);
}

/** Whole days from `from` to `to`; negative when `to` is earlier. */
export function daysBetween(from: PlainDate, to: PlainDate): number {
  return dayNumber(to) - dayNumber(from);
}

/** The same day `years` later (29 February becomes the 28th). */
export function addYears(date: PlainDate, years: number): PlainDate {
  return Temporal.PlainDate.from(date).add({ years }).toString();
}

/** Every date from `first` to `last`, both included; empty when `last` is earlier. */
export function datesFromTo(first: PlainDate, last: PlainDate): PlainDate[] {
  const dates: PlainDate[] = [];
  for (let day = dayNumber(first); day <= dayNumber(last); day += 1) dates.push(dateOfDay(day));
  return dates;
}

/** The nights of a stay: each date from check-in up to, not including, check-out. */
export function nightsOf(checkIn: PlainDate, checkOut: PlainDate): PlainDate[] {
  return datesFromTo(checkIn, addDays(checkOut, -1));
}

/** Epoch milliseconds as {@link Instant} text. */
export function instantOf(ms: number): Instant {
  return new Date(ms).toISOString();
}

/** Epoch milliseconds of {@link Instant} text. */
export function msOf(instant: Instant): number {
  return Date.parse(instant);
}

/** True when `zone` is an IANA time zone this machine knows. */
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

/** Spans of constant offset already met, per zone: asking Temporal for each row of a list is too slow. */
const spansByZone = new Map<string, OffsetSpan[]>();

function offsetSpan(zone: string, ms: number): OffsetSpan {
  let spans = spansByZone.get(zone);
  if (!spans) spansByZone.set(zone, (spans = []));
  for (const span of spans) if (ms >= span.from && ms < span.to) return span;
  const zoned = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  const next = zoned.getTimeZoneTransition('next');
  // 'previous' is strictly before, so asking one nanosecond later includes a transition at `ms` itself.
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

/** The calendar date in `zone` at the given moment (epoch milliseconds). */
export function dateIn(zone: string, ms: number): PlainDate {
  return new Date(ms + offsetSpan(zone, ms).offsetMs).toISOString().slice(0, 10);
}

/** An instant written with the offset of `zone`: `2026-11-20T13:00:00+01:00`. */
export function withOffset(instant: Instant, zone: string): string {
  const ms = msOf(instant);
  const span = offsetSpan(zone, ms);
  return new Date(ms + span.offsetMs).toISOString().slice(0, 19) + span.suffix;
}

/** Also an offset of hours alone (`+01`), which Temporal would otherwise drop when it reads wall-clock time. */
const HAS_OFFSET = /(?:[zZ]|[+-]\d{2}(?::?\d{2}){0,2})$/;

/**
 * Reads an ISO 8601 date-time. One without an offset is wall-clock time in `zone` (a time that the zone
 * skips moves forward by the gap, one it repeats means the first). A bare date is its midnight.
 * @returns undefined when the text is no date-time.
 */
export function readInstant(text: string, zone: string): Instant | undefined {
  try {
    const tidy = text.trim().replace(' ', 'T');
    // A zone or calendar in brackets may contradict `zone`; ISO 8601 has none.
    if (tidy.includes('[')) return undefined;
    const ms = HAS_OFFSET.test(tidy.slice(10))
      ? Temporal.Instant.from(tidy).epochMilliseconds
      : Temporal.PlainDateTime.from(tidy).toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds;
    return instantOf(ms);
  } catch {
    return undefined;
  }
}

/** So far from a change of offset, midnight is what the offset says. */
const CLEAR_OF_CHANGES_MS = 2 * DAY_MS;

/** Midnight at the start of `date` in `zone`; where the zone skips it, the first moment of the date. */
export function startOfDay(date: PlainDate, zone: string): Instant {
  const midnight = dayNumber(date) * DAY_MS;
  const { from, to, offsetMs } = offsetSpan(zone, midnight);
  if (midnight - from > CLEAR_OF_CHANGES_MS && to - midnight > CLEAR_OF_CHANGES_MS) {
    return instantOf(midnight - offsetMs);
  }
  return instantOf(Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds);
}
