import { isPlainDate, type PlainDate } from '../../kernel/dates.ts';
import { monthNumber } from './months.ts';
import type { Moment } from '../outcome.ts';

/** Bounds of years. Years outside them are typing errors. */
const FIRST_YEAR = 1900;
const LAST_YEAR = 2199;

const TOKEN = /YYYY|YY|MMMM|MMM|MM|M|DD|D/g;
const tokenPatterns: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  YY: '(?<year>\\d{2})',
  MMMM: '(?<month>\\p{L}+\\.?)',
  MMM: '(?<month>\\p{L}+\\.?)',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})',
};
const TIME =
  '(?:[T ,]+(?<hour>\\d{1,2}):(?<minute>\\d{2})(?<second>:\\d{2})?(?:\\.\\d+)? ?(?<half>[AaPp]\\.?[Mm]\\.?)?)?';
const OFFSET = '(?<offset>Z|[+-]\\d{2}:?\\d{2})?';

/** Returns true for a pattern such as `DD.MM.YYYY`: year, month and day, each once. */
export function isDateFormat(format: string): boolean {
  if (/\p{L}/u.test(format.replace(TOKEN, ''))) return false;
  const parts = (format.match(TOKEN) ?? []).map((token) => token[0]);
  return ['Y', 'M', 'D'].every((part) => parts.filter((each) => each === part).length === 1);
}

/** Returns true when a text can fit both formats with different dates, as with `DD/MM/YYYY` and `MM/DD/YYYY`. */
export function areAmbiguous(one: string, other: string): boolean {
  const shape = (format: string) => format.replace(/M{1,2}(?!M)|D{1,2}/g, 'n').replace(/M{3,4}/g, 'name');
  const order = (format: string) => (format.match(TOKEN) ?? []).map((token) => token[0]).join('');
  const width = (format: string) => shape(format).replace(/Y{4}|Y{2}/g, 'Y');
  return width(one) === width(other) && order(one) !== order(other);
}

/**
 * Returns a reader of dates in any of the given formats, tried in order. A time of day after the date is retained, and
 * so is the file's offset.
 */
export function momentParser(
  formats: readonly string[],
  months: ReadonlyMap<string, number>,
): (text: string) => Moment | undefined {
  const patterns = formats.map(formatPattern);
  return (text) => {
    for (const pattern of patterns) {
      const found = pattern.exec(text)?.groups;
      const date = found && dateFrom(found['year'], found['month'], found['day'], months);
      const time = found && timeFrom(found);
      if (date !== undefined && time !== undefined) return date + time;
    }
    return undefined;
  };
}

/** Returns the date of a year, a month (number or name) and a day, if it exists. */
export function dateFrom(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
  months: ReadonlyMap<string, number>,
): PlainDate | undefined {
  const monthOfYear = month === undefined ? undefined : monthNumber(month, months);
  if (!year || !day || monthOfYear === undefined || !/^\d{2}(?:\d{2})?$/.test(year) || !/^\d{1,2}$/.test(day)) return;
  const fullYear = year.length === 2 ? 2000 + Number(year) : Number(year);
  const date = `${fullYear}-${String(monthOfYear).padStart(2, '0')}-${day.padStart(2, '0')}`;
  return fullYear >= FIRST_YEAR && fullYear <= LAST_YEAR && isPlainDate(date) ? date : undefined;
}

function formatPattern(format: string): RegExp {
  const escaped = format.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const date = escaped.replace(TOKEN, (token) => tokenPatterns[token] ?? token);
  return new RegExp(`^${date}${TIME} ?${OFFSET}$`, 'u');
}

function timeFrom(found: Readonly<Record<string, string | undefined>>): string | undefined {
  const { hour, minute, second = '', half, offset = '' } = found;
  if (hour === undefined || minute === undefined) return offset === '' ? '' : undefined;
  const isAfternoon = half?.toLowerCase().startsWith('p');
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0);
  if (hours > 23 || Number(minute) > 59 || Number(second.slice(1)) > 59) return undefined;
  return `T${String(hours).padStart(2, '0')}:${minute}${second}${offset}`;
}
