import { dateOfDay, dayNumber, type PlainDate } from '../../../kernel/dates.ts';
import type { Days } from '../adapter.ts';

/**
 * Returns the range that decides each day: of overlapping ranges the later one. The time grows with days and ranges,
 * however much they overlap.
 */
export function lastWords<Range extends Days>(ranges: readonly Range[]): Map<PlainDate, Range> {
  const decided = new Map<PlainDate, Range>();
  // Maps a decided day to one behind it. If that day is decided as well, the search follows its entry.
  const behind = new Map<number, number>();
  const firstOpen = (from: number): number => {
    const passed: number[] = [];
    let day = from;
    for (let next = behind.get(day); next !== undefined; next = behind.get(day)) {
      passed.push(day);
      day = next;
    }
    for (const one of passed) behind.set(one, day);
    return day;
  };
  for (const range of ranges.toReversed()) {
    const last = dayNumber(range.end_date);
    for (let day = firstOpen(dayNumber(range.start_date)); day <= last; day = firstOpen(day + 1)) {
      decided.set(dateOfDay(day), range);
      behind.set(day, day + 1);
    }
  }
  return decided;
}
