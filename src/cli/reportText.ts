import { amountText, columnHeading, type ReportAnswer } from '../compose/mirror/reports.ts';
import { counted } from './output.ts';

type Column = ReportAnswer['columns'][number];
type Row = ReportAnswer['rows'][number];

/** Rows shown at most; a longer table helps no reader on a screen. */
const MOST_ROWS = 500;
const LEFT: ReadonlySet<Column['unit']> = new Set(['text', 'date']);

/** Formats rows under headings, with numbers to the right and a line of sums for each currency. */
export function reportTable({ columns, rows }: ReportAnswer, all: boolean): string {
  if (rows.length === 0) return 'no rows';
  const shown = columns.filter((column) => all || !column.detail);
  const lines = rows.slice(0, MOST_ROWS).map((row) => shown.map((column) => shownCell(column, row)));
  const sums = rows.length > 1 ? totals(shown, rows) : [];
  const widths = shown.map((column, index) =>
    Math.max(
      ...columnHeading(column).split('_').map(width),
      ...[...lines, ...sums].map((line) => width(line[index] ?? '')),
    ),
  );
  const cells = [...headingLines(shown, widths), ...lines, ...sums];
  const text = cells.map((line) => line.map((cell, index) => pad(cell, widths[index] ?? 0, shown[index])).join('  '));
  if (sums.length > 0) text.splice(text.length - sums.length, 0, widths.map((one) => '-'.repeat(one)).join('  '));
  const rest = rows.length - MOST_ROWS;
  if (rest > 0) text.push(`and ${counted(rest, 'more row')}: narrow the question, or write all with --csv or --json`);
  return text.map((line) => line.trimEnd()).join('\n');
}

function shownCell(column: Column, row: Row): string {
  const value = row[column.name] ?? null;
  if (value === null) return '-';
  if (typeof value === 'string') return printable(value);
  if (column.unit === 'money') return amountText(value, row['currency']);
  if (column.unit === 'percent' || column.unit === 'price') return value.toFixed(2);
  if (column.unit === 'flag') return value === 1 ? 'yes' : 'no';
  return String(value);
}

/** Removes characters that would move the cursor, because names come from other systems. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}

/** Breaks long headings at their underscores to the width of the column, so that they do not widen the table. */
function headingLines(columns: readonly Column[], widths: readonly number[]): string[][] {
  const stacks = columns.map((column, index) => broken(columnHeading(column), widths[index] ?? 0));
  const height = Math.max(...stacks.map((stack) => stack.length));
  return Array.from({ length: height }, (_, line) => stacks.map((stack) => stack[line - height + stack.length] ?? ''));
}

function broken(name: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of name.split('_')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (width(longer) <= most) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}

/** Made when it is needed: the first one takes as long as a tenth of a command. */
let characters: Intl.Segmenter | undefined;

/** Approximates the width of a text on a screen; a combining accent counts as zero. */
function width(text: string): number {
  characters ??= new Intl.Segmenter();
  return [...characters.segment(text)].length;
}

function pad(cell: string, wanted: number, column: Column | undefined): string {
  const blanks = ' '.repeat(wanted - width(cell));
  return column && LEFT.has(column.unit) ? cell + blanks : blanks + cell;
}

/** Returns one line of sums for each currency, because amounts of different currencies are never added. */
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
