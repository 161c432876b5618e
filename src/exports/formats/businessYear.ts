import { z } from 'zod';
import type { PlainDate } from '../../kernel/dates.ts';

/** Option of formats that cover one business year: the month in which it begins. */
export const yearStart = z
  .string()
  .regex(/^(?:0[1-9]|1[0-2])$/, 'must be the month in which the business year begins, 01 to 12')
  .default('01');

/** Returns the first day of the business year that contains a day. */
export function yearOf(date: PlainDate, startsIn: string): PlainDate {
  const year = Number(date.slice(0, 4));
  return `${date.slice(5, 7) >= startsIn ? year : year - 1}-${startsIn}-01`;
}
