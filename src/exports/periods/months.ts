import { addDays, monthsBetween } from '../../kernel/dates.ts';

/**
 * Returns the next month.
 * @throws RangeError after the last month of the year 9999
 */
export function monthAfter(period: string): string {
  return addDays(`${period}-28`, 4).slice(0, 7);
}

/** Most months that books can span; no business has more. */
const MOST_MONTHS = 2_400;

/**
 * Returns every month between two, both included; empty if the second is earlier.
 * @throws RangeError beyond {@link MOST_MONTHS}
 */
export function monthsFromTo(first: string, last: string): string[] {
  const count = monthsBetween(first, last) + 1;
  if (count > MOST_MONTHS) throw new RangeError(`${first} to ${last} are more than ${MOST_MONTHS} months`);
  const months: string[] = count > 0 ? [first] : [];
  for (let month = first; months.length < count; months.push(month)) month = monthAfter(month);
  return months;
}
