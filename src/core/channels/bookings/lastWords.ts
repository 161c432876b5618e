import { dateOfDay, dayNumber, type PlainDate } from '../../../kernel/dates.ts';
import type { Days } from '../adapter.ts';

/**
 * Which of some ranges decides each day: of those that overlap, the later one. Takes as long as there are days and
 * ranges, however many of them lie upon each other.
 */
export function lastWords<Range extends Days>(ranges: readonly Range[]): Map<PlainDate, Range> {
  const decided = new Map<PlainDate, Range>();
  // From a day that is decided to one behind it; where that one is decided as well, the way goes on.
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
