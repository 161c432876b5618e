import { basename } from 'node:path';
import { OperatorError } from '../../../kernel/errors.ts';
import { delimiters, encodings, type CsvFormat } from '../mapping.ts';
import { openLines } from '../readLines.ts';
import { readRecords, type CsvRecord } from '../readRecords.ts';
import { headerOf } from '../readRows.ts';
import { nullTexts } from './words.ts';

/** Lines looked at: enough to meet every state and a day above the 12th, little enough to take no time. */
const SAMPLE_LINES = 5_000;

const MEND = 'most lines cannot be cut into the columns that the first line names: mend the file, or export it again';

/** A column of the sample; `values` are its cells that say something, in the order of the rows. */
export interface Column {
  name: string;
  values: readonly string[];
}

/** The start of a user's file, and how it is written. */
export interface Sample {
  name: string;
  encoding: CsvFormat['encoding'];
  delimiter: CsvFormat['delimiter'];
  header: readonly string[];
  rows: readonly { line: number; row: number; cells: readonly string[] }[];
  columns: readonly Column[];
  /** Texts for "nothing" that the sample has. */
  nulls: readonly string[];
}

/** Throws an OperatorError when there is no header, no row behind it, or hardly a row that fits it. */
export async function readSample(path: string): Promise<Sample> {
  const { lines, encoding } = await firstLines(path);
  const { records, delimiter, fits } = await bestCut(lines);
  const name = basename(path);
  const header = headerOf(records[0], name);
  const broken = records.find((record) => 'problem' in record);
  if (!fits && broken) throw new OperatorError(`${name}, line ${broken.line}: ${broken.problem}`, MEND);
  const rows = records.slice(1).flatMap((record, index) => {
    return 'problem' in record ? [] : [{ line: record.line, row: index + 1, cells: record.cells }];
  });
  if (rows.length === 0) throw new OperatorError(`${name} has no rows`, 'a proposal needs some to look at');
  const seen = new Set(rows.flatMap(({ cells }) => cells.map((cell) => cell.trim())));
  const nulls = nullsAmong(seen);
  const columns = header.map((column, index) => ({
    name: column,
    values: rows.map(({ cells }) => (cells[index] ?? '').trim()).filter((text) => text !== '' && !nulls.includes(text)),
  }));
  return { name, encoding, delimiter, header, rows, columns, nulls };
}

/** Programs that write NULL tend to write NA as well, perhaps only in a row far behind the sample. */
function nullsAmong(seen: ReadonlySet<string>): string[] {
  return nullTexts.filter((text) => seen.has(text) || (text === 'NA' && seen.has('NULL')));
}

/** UTF-8 text is hardly ever anything else by chance, so what can be read as UTF-8 is. */
async function firstLines(path: string): Promise<{ lines: string[]; encoding: CsvFormat['encoding'] }> {
  try {
    return { lines: await linesOf(path, 'utf-8'), encoding: 'utf-8' };
  } catch {
    return { lines: await linesOf(path, 'latin1'), encoding: 'latin1' };
  }
}

async function linesOf(path: string, encoding: CsvFormat['encoding']): Promise<string[]> {
  const lines: string[] = [];
  const file = await openLines(path, encodings[encoding]);
  for await (const batch of file.batches) {
    lines.push(...batch);
    if (lines.length >= SAMPLE_LINES) break;
  }
  return lines.slice(0, SAMPLE_LINES);
}

interface Cut {
  records: CsvRecord[];
  delimiter: CsvFormat['delimiter'];
  columns: number;
  /** Nearly all records have as many columns as the header. */
  fits: boolean;
}

/** By the delimiter that gives most columns in the header, and the same number in nearly all rows if one does. */
async function bestCut(lines: string[]): Promise<Cut> {
  let best: Cut | undefined;
  for (const delimiter of Object.keys(delimiters) as CsvFormat['delimiter'][]) {
    const records = await cutBy(lines, delimiters[delimiter]);
    const [head] = records;
    const columns = head && 'cells' in head ? head.cells.length : 0;
    const whole = records.filter((record) => 'cells' in record).length;
    const cut = { records, delimiter, columns, fits: columns > 0 && whole >= records.length * 0.8 };
    if (!best || (cut.fits === best.fits ? cut.columns > best.columns : cut.fits)) best = cut;
  }
  return best ?? { records: [], delimiter: 'comma', columns: 0, fits: false };
}

async function cutBy(lines: string[], delimiter: string): Promise<CsvRecord[]> {
  const records: CsvRecord[] = [];
  for await (const batch of readRecords(once(lines), delimiter)) records.push(...batch);
  return records;
}

async function* once(lines: string[]): AsyncGenerator<string[]> {
  yield lines;
}
