import type { ReportAnswer } from '../compose/reports.ts';
import { decimalText, isCurrency } from '../kernel/money.ts';
import { csvCell, csvLine } from './csvText.ts';
import { counted } from './output.ts';

type Column = ReportAnswer['columns'][number];
type Row = ReportAnswer['rows'][number];

/** More rows than these nobody reads on a screen. */
const MOST_ROWS = 500;
const LEFT: ReadonlySet<Column['unit']> = new Set(['text', 'date']);

/** The rows under their headings, numbers to the right, with a line of sums for each currency. */
export function reportTable({ columns, rows }: ReportAnswer, all: boolean): string {
  if (rows.length === 0) return 'no rows';
  const shown = columns.filter((column) => all || !column.detail);
  const lines = rows.slice(0, MOST_ROWS).map((row) => shown.map((column) => shownCell(column, row)));
  const sums = rows.length > 1 ? totals(shown, rows) : [];
  const cells = [shown.map(heading), ...lines, ...sums];
  const widths = shown.map((_, index) => Math.max(...cells.map((line) => lengthOf(line[index] ?? ''))));
  const text = cells.map((line) => line.map((cell, index) => pad(cell, widths[index] ?? 0, shown[index])).join('  '));
  if (sums.length > 0) text.splice(text.length - sums.length, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  const rest = rows.length - MOST_ROWS;
  if (rest > 0) text.push(`and ${counted(rest, 'more row')}: narrow the question, or write all with --csv or --json`);
  return text.map((line) => line.trimEnd()).join('\n');
}

/** The whole answer as a CSV file, line by line. */
export function* reportCsv({ columns, rows }: ReportAnswer): Generator<string> {
  yield csvLine(columns.map(heading));
  for (const row of rows) yield csvLine(columns.map((column) => fileCell(column, row)));
}

function heading({ name, unit }: Column): string {
  return unit === 'money' ? name.replace(/_minor$/, '') : name;
}

/** Amounts are exact decimals there, and unlike text nothing to be protected. */
function fileCell(column: Column, row: Row): string {
  const value = row[column.name] ?? null;
  return column.unit === 'money' && typeof value === 'number' ? amount(value, row['currency']) : csvCell(value);
}

function shownCell(column: Column, row: Row): string {
  const value = row[column.name] ?? null;
  if (value === null) return '-';
  if (typeof value === 'string') return printable(value);
  if (column.unit === 'money') return amount(value, row['currency']);
  if (column.unit === 'percent' || column.unit === 'price') return value.toFixed(2);
  if (column.unit === 'flag') return value === 1 ? 'yes' : 'no';
  return String(value);
}

/** Names come from elsewhere: what would move the cursor is not let through. */
function printable(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
}

function amount(minor: number, currency: Row[string] | undefined): string {
  return typeof currency === 'string' && isCurrency(currency) ? decimalText(minor, currency) : String(minor);
}

/** Characters as they are counted on a screen, more or less: an accent of its own is none. */
function lengthOf(text: string): number {
  return [...new Intl.Segmenter().segment(text)].length;
}

function pad(cell: string, width: number, column: Column | undefined): string {
  const blanks = ' '.repeat(width - lengthOf(cell));
  return column && LEFT.has(column.unit) ? cell + blanks : blanks + cell;
}

/** Amounts of different currencies are never added. */
function totals(columns: readonly Column[], rows: readonly Row[]): string[][] {
  if (!columns.some((column) => column.adds)) return [];
  const hasCurrency = columns.some(({ name }) => name === 'currency');
  const currencies = hasCurrency ? [...new Set(rows.map((row) => row['currency'] ?? null))] : [undefined];
  return currencies.map((currency) => {
    const own = currency === undefined ? rows : rows.filter((row) => (row['currency'] ?? null) === currency);
    const sums: Row = Object.fromEntries(
      columns.map(({ name, adds }) => [name, adds ? own.reduce((sum, row) => sum + Number(row[name] ?? 0), 0) : null]),
    );
    const line: Row = { ...sums, ...(currency !== undefined && { currency }) };
    return columns.map((column, index) => {
      if (index === 0) return 'total';
      return line[column.name] === null ? '' : shownCell(column, line);
    });
  });
}
