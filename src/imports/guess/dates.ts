import { momentParser } from '../fields/dateFormats.ts';
import { monthNames, monthNumber } from '../fields/months.ts';
import type { Column } from './sample.ts';

/** Tried in this order; where a day and a month cannot be told apart, the day comes first. */
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
 * Every format in which all of a column's values are dates. Where there is none, those in which the most are and
 * more than half: some lines of a file may be broken, and are refused one by one.
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

/** True when the values are dates in a language we know. */
export function areDates(values: readonly string[]): boolean {
  return LANGUAGES.some((language) => dateFormatsOf(values, monthNames(language)).length > 0);
}

/** How all date columns of a file can be read together. */
export interface DateReading {
  language: string;
  formats: string[];
}

/**
 * The ways to read the date columns, likeliest first. There is more than one only when days and months cannot
 * be told apart in any of the columns: a column that settles it settles it for the file.
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

/** For each column the first format with the day (or the month) first; undefined when one has none such. */
function pick(possible: readonly string[][], first: 'day' | 'month'): string[] | undefined {
  const unwanted = first === 'day' ? /^M{1,2}[./-]/ : /^D{1,2}[./-]M{1,2}[./-]/;
  const chosen = possible.map((formats) => formats.find((format) => !unwanted.test(format)));
  if (chosen.some((format) => format === undefined)) return undefined;
  return [...new Set(chosen.filter((format) => format !== undefined))];
}
