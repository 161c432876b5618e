import { dateOfDay, dayNumber, type PlainDate } from '../../../kernel/dates.ts';
import type { NumberKind } from './styles.ts';

/** The value of a cell: text, or a value that only looks like text once written. undefined: an empty cell. */
export type Cell = string | { date: PlainDate; time: string } | { number: string; isPercent: boolean } | undefined;

/** Digits with which spreadsheet programs calculate. Stored values such as 55.1 are exact to this many. */
const DIGITS = 15;
const SECONDS_A_DAY = 86_400;
/** Day 1 is 1900-01-01, but days are counted as if 1900 had a 29 February, day 60. */
const DAY_ZERO = dayNumber('1899-12-30');
const NO_SUCH_DAY = 60;
/** Offset of day 0, 1904-01-01, where days are counted from 1904. */
const DAYS_TO_1904 = 1_462;
/** 9999-12-31. */
const LAST_DAY = 2_958_465;

/** Returns the value of a number as a cell of this kind shows it. Percentages are of a hundred: 0.15 gives 15. */
export function numberCell(value: number, kind: NumberKind, from1904: boolean): Cell {
  if (kind === 'percent') return { number: plainNumber(value * 100), isPercent: true };
  const moment = kind === 'date' ? momentCell(value, from1904) : undefined;
  return moment ?? { number: plainNumber(value), isPercent: false };
}

/** Returns a moment in ISO form as a cell; undefined for other text. */
export function isoCell(text: string): Cell {
  const [, date, time = ''] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2})?)(?:[.,]\d+)?Z?)?$/.exec(text) ?? [];
  return date === undefined ? undefined : { date, time: shortTime(time) };
}

/** Returns plain decimal text of a number, with as many digits as spreadsheet programs use. */
function plainNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value === 0 ? 0 : value);
  if (Number.isInteger(value)) return BigInt(value).toString();
  const [text = '', exponent] = String(Number(value.toPrecision(DIGITS))).split('e-');
  if (exponent === undefined) return text;
  const digits = text.replace(/[-.]/g, '');
  return `${value < 0 ? '-' : ''}0.${'0'.repeat(Number(exponent) - 1)}${digits}`;
}

/** Returns undefined for a value below 1, which is a time without a day. */
function momentCell(value: number, from1904: boolean): Cell {
  const seconds = Math.round((value + (from1904 ? DAYS_TO_1904 : 0)) * SECONDS_A_DAY);
  const day = Math.floor(seconds / SECONDS_A_DAY);
  if (value < 0 || day > LAST_DAY) return undefined;
  const time = timeOf(seconds % SECONDS_A_DAY);
  if (value < 1) return time || '00:00';
  return { date: dateOfDay(DAY_ZERO + (day < NO_SUCH_DAY ? day + 1 : day)), time };
}

/** Returns `14:05`, with seconds if there are any. Midnight gives no time, only the date. */
function timeOf(seconds: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return shortTime(`${two(seconds / 3_600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`);
}

function shortTime(time: string): string {
  const short = time.endsWith(':00') && time.length > 5 ? time.slice(0, 5) : time;
  return short === '00:00' ? '' : short;
}
