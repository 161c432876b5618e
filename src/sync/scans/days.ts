import { addDays, type PlainDate } from '../../kernel/dates.ts';
import type { DateRange } from '../tables/rows/dateHints.ts';

/** 100 properties or listings times as many days is an answer of some 9,000 days. */
const WINDOW_DAYS = 92;

/** A range of dates in windows of bearable size. */
export function windowsWithin({ from: first, to: last }: DateRange): DateRange[] {
  const windows: DateRange[] = [];
  for (let from = first; from <= last; from = addDays(from, WINDOW_DAYS)) {
    const end = addDays(from, WINDOW_DAYS - 1);
    windows.push({ from, to: end < last ? end : last });
  }
  return windows;
}

/** Those of these keys that an answer has left out, or an earlier one of the same group. */
export function leftOutOf<Key>(keys: readonly Key[], answered: readonly Key[], before: readonly Key[] = []): Key[] {
  return keys.filter((key) => !answered.includes(key) || before.includes(key));
}

/** How far a scan through days has come: groups of keys, and within a group windows. */
export interface DaysBookmark<Key> {
  /** The last key of the groups that are done. */
  after: Key;
  /** The last date that was read of the group that is not. */
  doneTo?: PlainDate;
  /** The number of the first read of that group. */
  since?: number;
  /** Keys of that group which some answer has left out. */
  leftOut?: Key[];
}
