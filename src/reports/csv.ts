import { csvCell, csvLine } from '../kernel/csvText.ts';
import { decimalText, isCurrency } from '../kernel/money.ts';
import type { ReportAnswer } from './read.ts';

type Column = ReportAnswer['columns'][number];
type Row = ReportAnswer['rows'][number];

/** Yields the complete answer as a CSV file, line by line. */
export function* reportCsv({ columns, rows }: Pick<ReportAnswer, 'columns' | 'rows'>): Generator<string> {
  yield csvLine(columns.map(columnHeading));
  for (const row of rows) yield csvLine(columns.map((column) => fileCell(column, row)));
}

/** Returns the heading of a column. Amounts are shown in units of their currency, whatever the view has. */
export function columnHeading({ name, unit }: Column): string {
  return unit === 'money' ? name.replace(/_minor$/, '') : name;
}

/**
 * Formats a cell for a file. An amount there is an exact decimal and needs no protection against formulas, unlike text.
 */
function fileCell(column: Column, row: Row): string {
  const value = row[column.name] ?? null;
  return column.unit === 'money' && typeof value === 'number' ? amountText(value, row['currency']) : csvCell(value);
}

/** Returns an amount in units of its currency; without one, in minor units. */
export function amountText(minor: number, currency: Row[string] | undefined): string {
  return typeof currency === 'string' && isCurrency(currency) ? decimalText(minor, currency) : String(minor);
}
