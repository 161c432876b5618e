import { z } from 'zod';
import type { PlainDate } from '../../kernel/dates.ts';

/** Setting of formats that are of one business year: the month it begins in. */
export const yearStart = z
  .string()
  .regex(/^(?:0[1-9]|1[0-2])$/, 'must be the month in which the business year begins, 01 to 12')
  .default('01');

/** The first day of the business year that a day is in. */
export function yearOf(date: PlainDate, startsIn: string): PlainDate {
  const year = Number(date.slice(0, 4));
  return `${date.slice(5, 7) >= startsIn ? year : year - 1}-${startsIn}-01`;
}
