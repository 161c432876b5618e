import { CsvError, parse } from 'csv-parse/sync';
import { messageOf, OperatorError } from '../../../kernel/errors.ts';
import { amountOf, fault, shown, type Statement, type StatementLine } from './line.ts';
import { decimals, delimiters, type StatementMapping, thousands } from './mapping.ts';
import { writtenDateReader } from './writtenDates.ts';

/** A row with the line on which it begins. */
interface Row {
  line: number;
  cells: Readonly<Record<string, string>>;
}

/**
 * Reads a CSV file by a mapping.
 * @throws OperatorError that names line and column
 */
export function readCsv(text: string, mapping: StatementMapping): Statement {
  const dateFrom = writtenDateReader(mapping.format.date);
  const rows = rowsOf(text, mapping).filter(({ cells }) => isMeant(cells, mapping));
  const lines = rows.map((row): StatementLine => {
    const written = cell(row, mapping.date);
    const date = dateFrom(written);
    if (date === undefined)
      throw fault(row.line, mapping.date, `${shown(written)} is no date as ${mapping.format.date}`);
    const currency = typeof mapping.currency === 'string' ? mapping.currency : cell(row, mapping.currency.column);
    return {
      line: row.line,
      date,
      amount: amountIn(row, currency, mapping),
      currency,
      bankId: (mapping.id !== undefined && cell(row, mapping.id)) || null,
      text: mapping.text.map((name) => cell(row, name)).join(' '),
    };
  });
  return { format: 'csv', lines: mapping.payout === undefined ? lines : gathered(lines, rows, mapping.payout) };
}

function rowsOf(text: string, { format, ...mapping }: StatementMapping): Row[] {
  const lines = text.split(/\r\n|\n|\r/);
  const body = lines.slice(format.skip_lines).join('\n');
  let records: { record: string[]; info: { lines: number } }[];
  try {
    records = parse(body, {
      delimiter: delimiters[format.delimiter],
      info: true,
      skip_empty_lines: true,
      trim: true,
      relax_column_count_more: true,
    }) as unknown as typeof records;
  } catch (error) {
    const line = error instanceof CsvError && typeof error['lines'] === 'number' ? error['lines'] : 0;
    throw new OperatorError(
      `line ${line + format.skip_lines}: ${messageOf(error)}`,
      'check format.delimiter and format.skip_lines of the mapping',
      error,
    );
  }
  const [head, ...rest] = records;
  const names = head?.record ?? [];
  for (const name of columnsOf({ format, ...mapping })) {
    if (names.includes(name)) continue;
    throw new OperatorError(
      `the file has no column ${JSON.stringify(name)}; it has ${names.map((one) => JSON.stringify(one)).join(', ')}`,
      'check the mapping, its format.delimiter and its format.skip_lines',
    );
  }
  return rest.map(({ record, info }) => ({
    line: info.lines + format.skip_lines,
    cells: Object.fromEntries(names.map((name, index) => [name, record[index] ?? ''])),
  }));
}

function columnsOf({ date, amount, currency, id, text, payout, only }: StatementMapping): string[] {
  const amounts = typeof amount === 'string' ? [amount] : [amount.in, amount.out];
  const others = [id, payout, only?.column, typeof currency === 'string' ? undefined : currency.column];
  return [date, ...amounts, ...text, ...others.filter((name) => name !== undefined)];
}

function isMeant(cells: Row['cells'], { only }: StatementMapping): boolean {
  return only === undefined || only.is.includes(cells[only.column] ?? '');
}

function cell({ cells }: Row, name: string): string {
  return cells[name] ?? '';
}

function amountIn(row: Row, currency: string, { amount, format }: StatementMapping): number {
  const read = (field: string) =>
    amountOf({
      text: plainAmount(cell(row, field), format, { line: row.line, field }),
      currency,
      line: row.line,
      field,
    });
  if (typeof amount === 'string') return read(amount);
  const [into, out] = [cell(row, amount.in), cell(row, amount.out)];
  if (into !== '' && out !== '') {
    const [came, went] = [read(amount.in), read(amount.out)];
    if (came !== 0 && went !== 0) throw fault(row.line, amount.in, `is given beside ${amount.out}`);
    return came - Math.abs(went);
  }
  if (into === '' && out === '') throw fault(row.line, amount.in, `is empty, and so is ${amount.out}`);
  // Some banks write outgoing amounts with a sign, some without.
  return into !== '' ? read(amount.in) : 0 - Math.abs(read(amount.out));
}

/**
 * Returns an amount without its thousands separators. They must separate groups of three digits, so `1.50` under a
 * decimal comma is an error and not 150.
 */
function plainAmount(text: string, format: StatementMapping['format'], at: { line: number; field: string }): string {
  const tidy = text
    .replace(/[\u00a0\u2007\u202f]/g, ' ')
    .replaceAll('’', "'")
    .replaceAll('−', '-');
  const [whole = '', ...fractions] = tidy.split(decimals[format.decimal]);
  const sign = thousands[format.thousands];
  const groups = sign === '' ? [whole] : whole.split(sign);
  const isGrouped = groups.every((group, index) => (index === 0 ? /^[+-]?\d{1,3}$/ : /^\d{3}$/).test(group));
  const isFraction = fractions.length === 0 || (fractions.length === 1 && /^\d*$/.test(fractions[0] ?? ''));
  if (!isFraction || (groups.length > 1 && !isGrouped)) {
    throw fault(at.line, at.field, `${shown(text)} is no amount as format.decimal and format.thousands say`);
  }
  return [groups.join(''), ...fractions].join('.');
}

/** Joins the rows of one payout into one line: the sum, the last day, and all texts. */
function gathered(lines: readonly StatementLine[], rows: readonly Row[], column: string): StatementLine[] {
  const payouts = new Map<string, StatementLine>();
  for (const [index, line] of lines.entries()) {
    const name = rows[index] ? cell(rows[index], column) : '';
    if (name === '') throw fault(line.line, column, 'is empty');
    const key = JSON.stringify([name, line.currency]);
    const known = payouts.get(key);
    payouts.set(key, {
      ...(known ?? line),
      bankId: name,
      date: known && known.date > line.date ? known.date : line.date,
      amount: (known?.amount ?? 0) + line.amount,
      text: known ? `${known.text} ${line.text}` : line.text,
    });
  }
  return [...payouts.values()];
}
