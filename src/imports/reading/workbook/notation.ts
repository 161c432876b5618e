import { momentParser } from '../../fields/dateFormats.ts';
import { monthNames } from '../../fields/months.ts';
import { decimalSigns } from '../../fields/numbers.ts';
import type { FileFormat } from '../../mapping.ts';
import type { Cell } from './cell.ts';

/** The notation of dates and numbers. */
export type Notation = Pick<FileFormat, 'dates' | 'months' | 'decimal'>;

/** Notation for workbooks without a mapping. */
export const plainNotation: Notation = { dates: ['YYYY-MM-DD'], months: 'en', decimal: 'point' };

/**
 * Returns a writer of cells as a CSV file of the same sheet would contain them, in the mapping's notation. One mapping
 * therefore reads both, and it decides about text that only looks like a date or a number.
 */
export function cellWriter({ dates, months: language, decimal }: Notation): (cell: Cell) => string {
  const writeDate = dateWriter(dates, monthNames(language));
  const writeNumber = (plain: string) => plain.replace('.', decimalSigns[decimal]);
  return (cell) => {
    if (cell === undefined || typeof cell === 'string') return cell ?? '';
    if ('number' in cell) return writeNumber(cell.number) + (cell.isPercent ? '%' : '');
    return cell.time === '' ? writeDate(cell.date) : `${writeDate(cell.date)} ${cell.time}`;
  };
}

/**
 * Returns a writer of dates in the first format that reads back the same date. A year of 1999 has none when years have
 * two digits.
 */
function dateWriter(formats: readonly string[], months: ReadonlyMap<string, number>): (date: string) => string {
  const read = momentParser(formats, months);
  const nameOf = new Map([...months].toReversed().map(([name, month]) => [month, name]));
  const written = new Map<string, string>();
  const write = (date: string) => {
    const texts = formats.map((format) => dateText(date, format, nameOf));
    return texts.find((text) => read(text) === date) ?? date;
  };
  return (date) => {
    const text = written.get(date) ?? write(date);
    written.set(date, text);
    return text;
  };
}

const TOKEN = /YYYY|YY|MMMM|MMM|MM|M|DD|D/g;

function dateText(date: string, format: string, nameOf: ReadonlyMap<number, string>): string {
  const [year = '', month = '', day = ''] = date.split('-');
  const parts: Readonly<Record<string, string>> = {
    YYYY: year,
    YY: year.slice(2),
    MMMM: nameOf.get(Number(month)) ?? '',
    MMM: nameOf.get(Number(month)) ?? '',
    MM: month,
    M: String(Number(month)),
    DD: day,
    D: String(Number(day)),
  };
  return format.replace(TOKEN, (token) => parts[token] ?? token);
}
