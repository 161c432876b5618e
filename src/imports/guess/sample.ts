import { basename } from 'node:path';
import { OperatorError } from '../../kernel/errors.ts';
import type { Row } from '../fields/scope.ts';
import { readHead, type FileHead } from '../reading/fileHead.ts';
import { kindOf, markedEncoding, unmarkedUtf16 } from '../reading/fileKind.ts';
import { delimiters, encodings, type FileFormat } from '../mapping.ts';
import { isOfOtherEncoding, openLines } from '../reading/readLines.ts';
import { readRecords, type CsvRecord } from '../reading/readRecords.ts';
import { headerOf } from '../reading/rowFile.ts';
import { nullTexts } from './words.ts';

/** Lines of a sample: enough for every state and a day above the 12th, and few enough to read at once. */
const SAMPLE_LINES = 5_000;

const MEND = 'most lines cannot be cut into the columns that the first line names: mend the file, or export it again';

/** A column of the sample. `values` are its non-empty cells in the order of the rows. */
export interface Column {
  name: string;
  values: readonly string[];
}

/** The start of a user's file and its notation. */
export interface Sample {
  name: string;
  /** The part of a mapping's format that does not depend on the meaning of the columns. */
  layout: Partial<Pick<FileFormat, 'delimiter' | 'encoding' | 'sheet'>>;
  header: readonly string[];
  rows: readonly Row[];
  /** Returns the same rows as a mapping with this format reads them. Cells of workbooks are written in its notation. */
  rowsIn: (format: FileFormat) => readonly Row[];
  columns: readonly Column[];
  /** Texts for "nothing" in the sample. */
  nulls: readonly string[];
  /** Sheets of the workbook that are not read. */
  otherSheets: readonly string[];
}

/**
 * Returns readers of the samples in a file: one for text, and one for each sheet of a workbook, in its order. Throws an
 * OperatorError for other files. Each reader throws one when there is no header, no row after it, or hardly a row that
 * fits it.
 */
export async function samplesOf(path: string): Promise<(() => Promise<Sample>)[]> {
  const head = await readHead(path);
  if (kindOf(path, head) === 'text') return [() => readText(path, head)];
  const { sheetNames } = await import('../reading/workbook/openSheet.ts');
  const { readSheetSample } = await import('../reading/workbook/readSheetSample.ts');
  const sheets = await sheetNames(path);
  return sheets.map((sheet) => async () => {
    const { header, rows, rowsIn } = await readSheetSample(path, sheet, SAMPLE_LINES);
    const otherSheets = sheets.filter((each) => each !== sheet);
    const layout = otherSheets.length > 0 ? { sheet } : {};
    return { ...sampleOf(basename(path), header, rows), layout, rowsIn, otherSheets };
  });
}

async function readText(path: string, head: FileHead): Promise<Sample> {
  const { lines, encoding } = await firstLines(path, head);
  const { records, delimiter, fits } = await bestCut(lines);
  const name = basename(path);
  const header = headerOf(records[0], name);
  const broken = records.find((record) => 'problem' in record);
  if (!fits && broken) throw new OperatorError(`${name}, line ${broken.line}: ${broken.problem}`, MEND);
  const rows = records.slice(1).flatMap((record, index) => {
    return 'problem' in record ? [] : [{ line: record.line, row: index + 1, cells: record.cells }];
  });
  return { ...sampleOf(name, header, rows), layout: { delimiter, encoding }, rowsIn: () => rows, otherSheets: [] };
}

function sampleOf(name: string, header: readonly string[], rows: readonly Row[]) {
  if (rows.length === 0) throw new OperatorError(`${name} has no rows`, 'a proposal needs some to look at');
  const seen = new Set(rows.flatMap(({ cells }) => cells.map((cell) => cell.trim())));
  const nulls = nullsAmong(seen);
  const columns = header.map((column, index) => ({
    name: column,
    values: rows.map(({ cells }) => (cells[index] ?? '').trim()).filter((text) => text !== '' && !nulls.includes(text)),
  }));
  return { name, header, rows, columns, nulls };
}

/**
 * Returns the null texts among the seen ones. Programs that write NULL tend to write NA as well, perhaps only in a row
 * beyond the sample.
 */
function nullsAmong(seen: ReadonlySet<string>): string[] {
  return nullTexts.filter((text) => seen.has(text) || (text === 'NA' && seen.has('NULL')));
}

/**
 * Reads the first lines. Other encodings hardly ever form valid UTF-8 by chance, so text that can be read as UTF-8 is
 * taken as such.
 */
async function firstLines(
  path: string,
  head: FileHead,
): Promise<{ lines: string[]; encoding: FileFormat['encoding'] }> {
  const encoding = markedEncoding(head) ?? unmarkedUtf16(head) ?? 'utf-8';
  try {
    return { lines: await linesOf(path, encoding), encoding };
  } catch (error) {
    if (encoding !== 'utf-8' || !isOfOtherEncoding(error)) throw error;
    return { lines: await linesOf(path, 'latin1'), encoding: 'latin1' };
  }
}

async function linesOf(path: string, encoding: FileFormat['encoding']): Promise<string[]> {
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
  delimiter: FileFormat['delimiter'];
  columns: number;
  /** true: nearly all records have as many columns as the header. */
  fits: boolean;
}

/**
 * Splits lines by the delimiter that gives the most columns in the header, preferring one that gives the same number in
 * nearly all rows.
 */
async function bestCut(lines: string[]): Promise<Cut> {
  let best: Cut | undefined;
  for (const delimiter of Object.keys(delimiters) as FileFormat['delimiter'][]) {
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
