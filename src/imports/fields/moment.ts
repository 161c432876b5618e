import { z } from 'zod';
import { addDays, isPlainDate } from '../../kernel/dates.ts';
import { dateFrom } from './dateFormats.ts';
import type { Moment } from '../outcome.ts';
import { countReader } from './count.ts';
import { columnChoice, columnName, oneWay } from './oneWay.ts';
import { cellReader, refuse, type Reader, type Scope } from './scope.ts';

/** A date of the same stay that another date can be counted from. */
const base = z.enum(['check_in_date', 'check_out_date']);

/**
 * A date: from a column; from a year, a month (number or name) and a day column; a number of days from the stay; or
 * fixed.
 */
export const momentField = oneWay({
  column: z.strictObject({ column: columnChoice }),
  year: z.strictObject({ year: columnName, month: columnName, day: columnName }),
  from: z
    .strictObject({ from: base, minus_days: columnName.optional(), plus_days: columnName.optional() })
    .refine((field) => (field.minus_days === undefined) !== (field.plus_days === undefined), {
      error: 'give either minus_days or plus_days: the column with the number of days',
    }),
  value: z.strictObject({
    value: z.string().refine(isPlainDate, { error: 'write the date as YYYY-MM-DD, in quotes' }),
  }),
});
type MomentField = z.output<typeof momentField>;

/** Dates of the stay that are known when another date is read. */
type Bases = Readonly<Partial<Record<z.output<typeof base>, string | undefined>>>;
export type MomentParser = (row: Parameters<Reader<Moment>>[0], bases: Bases) => Moment | null | undefined;

/** @returns a reader, which gives undefined when the date it counts from is itself unusable */
export function momentParser(field: MomentField, scope: Scope, name: string, key: string): MomentParser {
  if ('value' in field) return () => field.value;
  if ('from' in field) return offsetReader(field, scope, name, key);
  if ('year' in field) return partsReader(field, scope, name, key);
  const cell = cellReader(scope, field.column, `${key}.column`);
  return (row) => {
    const text = cell(row);
    if (text === null) return null;
    return scope.readMoment(text) ?? refuse(row, name, 'no such date', text);
  };
}

function partsReader(
  field: Extract<MomentField, { year: string }>,
  scope: Scope,
  name: string,
  key: string,
): Reader<Moment> {
  const year = cellReader(scope, field.year, `${key}.year`);
  const month = cellReader(scope, field.month, `${key}.month`);
  const day = cellReader(scope, field.day, `${key}.day`);
  return (row) => {
    const [y, m, d] = [year(row), month(row), day(row)];
    if (y === null && m === null && d === null) return null;
    const date = dateFrom(y ?? undefined, m ?? undefined, d ?? undefined, scope.months);
    return date ?? refuse(row, name, 'no such date', `${y ?? ''} ${m ?? ''} ${d ?? ''}`);
  };
}

function offsetReader(
  field: Extract<MomentField, { from: string }>,
  scope: Scope,
  name: string,
  key: string,
): MomentParser {
  const [column, direction, at] =
    field.minus_days === undefined
      ? ([field.plus_days ?? '', 1, 'plus_days'] as const)
      : ([field.minus_days, -1, 'minus_days'] as const);
  const days = countReader({ sum: [column] }, scope, name, `${key}.${at}`);
  return (row, bases) => {
    const start = bases[field.from];
    const count = days(row);
    if (count === null || count === undefined || start === undefined) return count === null ? null : undefined;
    if (count > MOST_DAYS) return refuse(row, name, 'no such date', `${count} days from ${start}`);
    return addDays(start, direction * count);
  };
}

/** Most days of an offset: a hundred years. More days are a typing error. */
const MOST_DAYS = 36_525;
