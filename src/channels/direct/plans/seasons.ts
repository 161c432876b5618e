import { weekdays } from '../../../contract/priceRules.ts';
import { dayNumber, type PlainDate } from '../../../kernel/dates.ts';
import { isDayOfYear, type Weekday } from './schema.ts';

/** First and last night of a season: dates, or days of every year. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** Returns the day of the week of a date. */
export function weekdayOf(date: PlainDate): Weekday {
  // 1970-01-01, day 0, was a Thursday: the fifth from Sunday.
  return weekdays[(((dayNumber(date) + 4) % 7) + 7) % 7] ?? 'sunday';
}

export function isYearly({ from }: Span): boolean {
  return isDayOfYear(from);
}

/** Returns true if a night belongs to a season. A yearly one that ends before it begins goes over New Year. */
export function coversNight(span: Span, night: PlainDate): boolean {
  const day = isYearly(span) ? night.slice(5) : night;
  const { from, to } = span;
  return from <= to ? day >= from && day <= to : isYearly(span) && (day >= from || day <= to);
}

/** Days of a season; those of a yearly one in a leap year. */
export function lengthOf(span: Span): number {
  return daysOf(span).reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

/** Returns the day numbers, first and last, of a season; those of a yearly one within a leap year. */
function daysOf({ from, to }: Span): [number, number][] {
  if (!isDayOfYear(from)) return [[dayNumber(from), dayNumber(to)]];
  const [first, last] = [dayNumber(`2024-${from}`), dayNumber(`2024-${to}`)];
  if (first <= last) return [[first, last]];
  return [
    [first, dayNumber('2024-12-31')],
    [dayNumber('2024-01-01'), last],
  ];
}

/**
 * Returns the season that counts for a night: one of a single year before one of every year, and of the same kind the
 * shorter. Two of the same kind and length never share a night, since such a plan is refused.
 */
export function seasonOf<S extends Span>(seasons: readonly S[], night: PlainDate): S | undefined {
  return seasons.filter((season) => coversNight(season, night)).toSorted(byRank)[0];
}

function byRank(a: Span, b: Span): number {
  return Number(isYearly(a)) - Number(isYearly(b)) || lengthOf(a) - lengthOf(b);
}

/** Returns true if two seasons share a night and neither comes before the other. */
export function isAmbiguous(a: Span, b: Span): boolean {
  if (byRank(a, b) !== 0) return false;
  return daysOf(a).some(([first, last]) => daysOf(b).some((other) => first <= other[1] && other[0] <= last));
}
