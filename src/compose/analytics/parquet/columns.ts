import { dayNumber, msOf } from '../../../kernel/dates.ts';
import { isCurrency } from '../../../kernel/money.ts';
import {
  date,
  decimal,
  double,
  flag,
  instant,
  int64,
  type ParquetCell,
  type ParquetColumn,
  scaledAmount,
  text,
} from '../../../exports/formats/writing/parquetFile.ts';
import type { AnalystType } from '../../../sync/tables/analystNote.ts';
import type { ViewColumn } from '../views.ts';

type Value = string | number | null;
type Simple = Exclude<AnalystType, object>;

const MAKERS: Readonly<Record<Simple, (name: string, nullable: boolean) => ParquetColumn>> = {
  text,
  integer: int64,
  number: double,
  decimal: double,
  date,
  instant,
  json: text,
  flag,
};

/** An empty text says that there is none. */
const CELLS: Readonly<Record<Simple, (value: string | number) => ParquetCell>> = {
  text: String,
  integer: BigInt,
  number: Number,
  decimal: Number,
  date: (value) => (value === '' ? null : dayNumber(String(value))),
  instant: (value) => (value === '' ? null : BigInt(msOf(String(value))) * 1_000n),
  json: String,
  flag: (value) => Number(value) !== 0,
};

export function parquetColumn({ name, type }: ViewColumn): ParquetColumn {
  return typeof type === 'object' ? decimal(name, true) : MAKERS[type](name, true);
}

/** Returns the cells of a row, whose values stand in the order of the columns, as they are stored. */
export function parquetCells(columns: readonly ViewColumn[], values: readonly Value[]): ParquetCell[] {
  return columns.map(({ type }, index) => {
    const value = values[index] ?? null;
    if (value === null) return null;
    if (typeof type !== 'object') return CELLS[type](value);
    const currency = values[columns.findIndex(({ name }) => name === type.money)];
    return scaledAmount(value, isCurrency(String(currency)) ? String(currency) : 'EUR') ?? null;
  });
}
