import { addDays, type PlainDate } from '../../kernel/dates.ts';
import type { DateRange } from '../tables/rows/dateHints.ts';

/** The days of one request: for 100 properties or listings, an answer has some 9,000 days. */
const WINDOW_DAYS = 92;

/** Divides a range of dates into windows of bearable size. */
export function windowsWithin({ from: first, to: last }: DateRange): DateRange[] {
  const windows: DateRange[] = [];
  for (let from = first; from <= last; from = addDays(from, WINDOW_DAYS)) {
    const end = addDays(from, WINDOW_DAYS - 1);
    windows.push({ from, to: end < last ? end : last });
  }
  return windows;
}

/** Returns the keys that an answer has left out, or an earlier one of the same group. */
export function leftOutOf<Key>(keys: readonly Key[], answered: readonly Key[], before: readonly Key[] = []): Key[] {
  return keys.filter((key) => !answered.includes(key) || before.includes(key));
}

/** The position of a scan of days: groups of keys, and within a group windows. */
export interface DaysBookmark<Key> {
  /** The last key of the finished groups. */
  after: Key;
  /** The last date read in the unfinished group. */
  doneTo?: PlainDate;
  /** The number of the first read of that group. */
  since?: number;
  /** Keys of that group that some answer has left out. */
  leftOut?: Key[];
}
