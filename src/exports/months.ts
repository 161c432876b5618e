import { addDays, type PlainDate } from '../kernel/dates.ts';

/** The last day of a month, `2027-03`. */
export function lastDayOf(period: string): PlainDate {
  return addDays(`${monthAfter(period)}-01`, -1);
}

export function monthAfter(period: string): string {
  return addDays(`${period}-28`, 4).slice(0, 7);
}
