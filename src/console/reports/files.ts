import { csvCell, csvLine } from '../../kernel/csvText.ts';
import { ApiError } from '../../kernel/errors.ts';
import { decimalText } from '../../kernel/money.ts';
import { amountCell, type Cell, countCell, dateCell, decimalCell, textCell } from '../../kernel/workbook/cells.ts';
import { workbook } from '../../kernel/workbook/workbook.ts';
import { isPlainDate } from '../../kernel/dates.ts';
import type { Download } from '../page.ts';
import type { Visit } from '../visit.ts';
import { askedOf, type ReportsQuestion } from './question.ts';
import { type Column, columnsOf, readCatalogue, readReport, type Row } from './read.ts';

/** Rows of a file. */
const MOST_ROWS = 10_000;
const LONGEST_SHEET = 25;

interface Rows {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** Makes a CSV file of a report: amounts as decimals, and nothing that a spreadsheet would run. */
export async function csvFile(visit: Visit, question: ReportsQuestion): Promise<Download> {
  const { name, columns, rows } = await rowsOf(visit, question);
  const lines = rows.map((row) => csvLine(columns.map((column) => csvValue(column, row))));
  const head = csvLine(columns.map(({ name: heading }) => csvCell(plain(heading))));
  return { type: 'text/csv; charset=utf-8', name: `${name}.csv`, body: head + lines.join('') };
}

/** Makes a workbook of a report: dates and amounts are real ones, and no cell is a formula. */
export async function xlsxFile(visit: Visit, question: ReportsQuestion): Promise<Download> {
  const { name, columns, rows } = await rowsOf(visit, question);
  const sheet = {
    name: name.slice(0, LONGEST_SHEET),
    columns: columns.map(({ name: heading, unit }) => [plain(heading), unit === 'text' ? 28 : 14] as const),
    rows: rows.map((row) => columns.map((column) => cellOf(column, row))),
  };
  const chunks: Uint8Array[] = [];
  for await (const chunk of workbook([sheet])) chunks.push(chunk);
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  return { type, name: `${name}.xlsx`, body: Buffer.concat(chunks) };
}

async function rowsOf(visit: Visit, question: ReportsQuestion): Promise<Rows> {
  const info = (await readCatalogue(visit)).find((one) => one.name === question.report);
  if (!info) throw new ApiError(404, 'There is no such report.', { field: 'report' });
  const { rows, more } = await readReport(visit, info.name, askedOf(info, question, visit), MOST_ROWS);
  if (more) throw new ApiError(422, visit.texts.reports.tooMany(MOST_ROWS), { field: 'from' });
  return { name: info.name, columns: rows.length === 0 ? info.columns : columnsOf(info, rows), rows };
}

/** Returns the name of a column in a file, where amounts are decimals. */
function plain(name: string): string {
  return name.replace(/_minor$/, '');
}

function csvValue({ name, unit }: Column, row: Row): string {
  const value = row[name] ?? null;
  return unit === 'money' && typeof value === 'number'
    ? decimalText(value, String(row['currency'] ?? ''))
    : csvCell(value);
}

function cellOf({ name, unit }: Column, row: Row): Cell {
  const value = row[name] ?? null;
  if (value === null) return null;
  if (typeof value === 'string') {
    return unit === 'date' && isPlainDate(value) ? dateCell(value) : textCell(value);
  }
  if (unit === 'money') return amountCell(value, String(row['currency'] ?? ''));
  return Number.isInteger(value) ? countCell(value) : decimalCell(String(value), 2);
}
