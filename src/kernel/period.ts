import { isPlainDate, lastDayOfMonth } from './dates.ts';

/** Returns the first and the last day of a day, a month or a year; any other text comes back unchanged. */
export function firstAndLastDay(text: string): [string, string] {
  if (/^\d{4}$/.test(text)) return [`${text}-01-01`, `${text}-12-31`];
  if (!/^\d{4}-\d{2}$/.test(text)) return [text, text];
  const first = `${text}-01`;
  return isPlainDate(first) ? [first, lastDayOfMonth(text)] : [first, text];
}
