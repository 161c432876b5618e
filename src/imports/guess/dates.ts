import { momentParser } from '../fields/dateFormats.ts';
import { monthNames, monthNumber } from '../fields/months.ts';
import type { Column } from './sample.ts';

/** Formats in the order of trial. Where day and month cannot be distinguished, the day comes first. */
const FORMATS = [
  'YYYY-MM-DD',
  'YYYY/MM/DD',
  'DD.MM.YYYY',
  'D.M.YYYY',
  'DD.MM.YY',
  'D.M.YY',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'D/M/YYYY',
  'M/D/YYYY',
  'DD/MM/YY',
  'MM/DD/YY',
  'D/M/YY',
  'M/D/YY',
  'DD-MM-YYYY',
  'MM-DD-YYYY',
  'D-M-YYYY',
  'M-D-YYYY',
  'D MMM YYYY',
  'D. MMM YYYY',
  'MMM D, YYYY',
  'MMM D YYYY',
  'D-MMM-YYYY',
  'D-MMM-YY',
  'YYYY.MM.DD',
];
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl'];

/**
 * Returns every format in which all of a column's values are dates. If there is none, it returns those that fit the
 * most values and more than half: some lines of a file may be broken, and are refused one by one.
 */
function dateFormatsOf(values: readonly string[], months: ReadonlyMap<string, number>): string[] {
  if (values.length === 0) return [];
  const counts = FORMATS.map((format) => {
    const read = momentParser([format], months);
    return { format, readable: values.filter((value) => read(value) !== undefined).length };
  });
  const most = Math.max(...counts.map(({ readable }) => readable));
  if (most <= values.length / 2) return [];
  return counts.filter(({ readable }) => readable === most).map(({ format }) => format);
}

/** Returns true when the values are dates in a known language. */
export function areDates(values: readonly string[]): boolean {
  return LANGUAGES.some((language) => dateFormatsOf(values, monthNames(language)).length > 0);
}

/** A reading of all date columns of a file together. */
export interface DateReading {
  language: string;
  formats: string[];
}

/**
 * Returns the readings of the date columns, the likeliest first. There are several only when no column distinguishes
 * days from months; one column that does decides for the file.
 */
export function dateReadings(columns: readonly Column[], monthValues: readonly string[] = []): DateReading[] {
  const filled = columns.filter((column) => column.values.length > 0);
  for (const language of LANGUAGES) {
    const months = monthNames(language);
    if (!monthValues.every((value) => monthNumber(value, months) !== undefined)) continue;
    const possible = filled.map((column) => dateFormatsOf(column.values, months));
    if (possible.some((formats) => formats.length === 0)) continue;
    const picked = [pick(possible, 'day'), pick(possible, 'month')].filter((formats) => formats !== undefined);
    const distinct = picked.filter((formats, index) => index === 0 || formats.join() !== picked[0]?.join());
    if (distinct.length > 0) return distinct.map((formats) => ({ language, formats }));
  }
  return [];
}

/** Returns for each column the first format with the day (or the month) first; undefined when a column has none. */
function pick(possible: readonly string[][], first: 'day' | 'month'): string[] | undefined {
  const unwanted = first === 'day' ? /^M{1,2}[./-]/ : /^D{1,2}[./-]M{1,2}[./-]/;
  const chosen = possible.map((formats) => formats.find((format) => !unwanted.test(format)));
  if (chosen.some((format) => format === undefined)) return undefined;
  return [...new Set(chosen.filter((format) => format !== undefined))];
}
