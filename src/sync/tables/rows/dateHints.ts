import { daysBetween, dayNumber, isPlainDate, type PlainDate } from '../../../kernel/dates.ts';

/** Consecutive dates, both ends included. */
export interface DateRange {
  from: PlainDate;
  to: PlainDate;
}

/** The dates of a change, as an event named them: text that a mark can append to in SQL. */
export interface DateHint {
  text: string;
  from: PlainDate;
  to: PlainDate;
}

/** The number of characters beyond which a hint no longer lists its dates. */
export const MAX_HINT = 1_000;
/** Means many dates, somewhere between the first and the last. */
export const WHOLE = '*';

/** Returns the hint of an event's list of days; undefined if it names none. */
export function hintOf(days: unknown): DateHint | undefined {
  if (!Array.isArray(days)) return undefined;
  const dates = days.map(dateOf).filter((date) => date !== undefined);
  const ranges = mergeDates(dates);
  const [first] = ranges;
  const last = ranges.at(-1);
  if (!first || !last) return undefined;
  return { text: writeRanges(ranges), from: first.from, to: last.to };
}

/** Returns the hint of an event that names a first and a last date. */
export function hintOfRange({ start_date: from, end_date: to }: Record<string, unknown>): DateHint | undefined {
  if (typeof from !== 'string' || typeof to !== 'string') return undefined;
  if (!isPlainDate(from) || !isPlainDate(to) || from > to) return undefined;
  return { text: writeRanges([{ from, to }]), from, to };
}

function dateOf(day: unknown): PlainDate | undefined {
  const date: unknown = typeof day === 'object' && day !== null ? Reflect.get(day, 'date') : undefined;
  return typeof date === 'string' && isPlainDate(date) ? date : undefined;
}

/** Merges dates into ranges. Events usually list their dates in order, so counting on finds most ranges. */
function mergeDates(dates: readonly PlainDate[]): DateRange[] {
  const ranges: DateRange[] = [];
  let lastDay = Number.NaN;
  for (const date of dates) {
    const day = dayNumber(date);
    const last = ranges.at(-1);
    if (last && day === lastDay + 1) last.to = date;
    else ranges.push({ from: date, to: date });
    lastDay = day;
  }
  return ranges.length < 2 ? ranges : mergeRanges(ranges);
}

/** Returns ranges in order, with those that touch or overlap joined. */
export function mergeRanges(ranges: readonly DateRange[]): DateRange[] {
  const merged: DateRange[] = [];
  for (const range of ranges.toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))) {
    const last = merged.at(-1);
    if (last && daysBetween(last.to, range.from) <= 1) {
      if (range.to > last.to) last.to = range.to;
    } else {
      merged.push({ ...range });
    }
  }
  return merged;
}

/** Formats ranges: `2027-03-05:2027-03-07,2027-04-01:2027-04-01` */
function writeRanges(ranges: readonly DateRange[]): string {
  const text = ranges.map(({ from, to }) => `${from}:${to}`).join(',');
  return text.length > MAX_HINT ? WHOLE : text;
}

/** Returns the ranges of a stored hint; undefined if they were not stored. */
export function readRanges(hint: string | null): DateRange[] | undefined {
  if (hint === null || hint.includes(WHOLE)) return undefined;
  return mergeRanges(hint.split(',').map((range) => ({ from: range.slice(0, 10), to: range.slice(11) })));
}
