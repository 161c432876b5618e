import { addYears, isPlainDate } from '../../kernel/dates.ts';
import { type Answer, type Asked, type Column, isMeasure, type Row } from './read.ts';

const YEAR = /^\d{4}/;

/** Returns the question of a year before; undefined for a report that is not of a time. */
export function yearBefore(asked: Asked, { from, to, as_of, by }: Answer): Asked | undefined {
  if (by === 'all' || (from === undefined && to === undefined && as_of === undefined)) return undefined;
  const before = (date: string | undefined) => (date === undefined ? undefined : addYears(date, -1));
  return { ...asked, from: before(from), to: before(to), as_of: before(as_of) };
}

/** Returns, for each row, the row of a year before with the same names; undefined where there was none. */
export function matched(
  columns: readonly Column[],
  rows: readonly Row[],
  earlier: readonly Row[],
): (Row | undefined)[] {
  const names = columns.filter((column) => !isMeasure(column)).map(({ name }) => name);
  const keyOf = (row: Row, years: number) => JSON.stringify(names.map((name) => shifted(row[name] ?? null, years)));
  const before = new Map(earlier.map((row) => [keyOf(row, 1), row]));
  return rows.map((row) => before.get(keyOf(row, 0)));
}

/** Moves a date, a month or a year on; anything else remains. */
function shifted(value: string | number | null, years: number): string | number | null {
  if (typeof value !== 'string' || years === 0) return value;
  if (isPlainDate(value)) return addYears(value, years);
  if (!/^\d{4}(-\d{2})?$/.test(value)) return value;
  return value.replace(YEAR, (year) => String(Number(year) + years).padStart(4, '0'));
}
