import { basename } from 'node:path';
import { turn } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Row } from './fields/scope.ts';
import { delimiters, encodings, type CsvFormat } from './mapping.ts';
import type { Rejection } from './outcome.ts';
import { openLines } from './readLines.ts';
import { readRecords, type CsvRecord } from './readRecords.ts';

/** A CSV file with its header read; the rows can be gone through once. */
export interface CsvFile {
  name: string;
  header: readonly string[];
  /** Rows, and rejections of broken lines, in the order of the file. The event loop turns every few dozen. */
  rows: AsyncGenerator<Row | Rejection>;
  /** Bytes on disk and how many of them have been read: the progress. */
  size: number;
  bytesRead: () => number;
  /** Closes a file whose rows nobody wants. */
  close: () => Promise<void>;
}

/**
 * Opens a CSV file, plain or gzip, and reads its header. Throws an OperatorError when there is none, or when a
 * column stands in it twice. Going through `rows`, or leaving the loop, closes the file; else call `close`.
 */
export async function openCsv(path: string, format: Pick<CsvFormat, 'delimiter' | 'encoding'>): Promise<CsvFile> {
  const { size, bytesRead, batches } = await openLines(path, encodings[format.encoding]);
  const name = basename(path);
  const records = readRecords(batches, delimiters[format.delimiter]);
  const close = async () => void (await records.return(undefined));
  try {
    const first = await records.next();
    const header = headerOf(first.done ? undefined : first.value[0], name);
    return { name, header, rows: rowsOf(records), size, bytesRead, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The names of the columns. Throws an OperatorError when there are none, or one stands there twice. */
export function headerOf(record: CsvRecord | undefined, name: string): string[] {
  if (!record) throw new OperatorError(`${name} is empty`, 'the first line must name the columns');
  if ('problem' in record) throw new OperatorError(`the header line of ${name} is broken: ${record.problem}`);
  const header = record.cells.map((cell) => cell.trim());
  const twice = header.find((column, index) => column !== '' && header.indexOf(column) !== index);
  if (twice === undefined) return header;
  throw new OperatorError(`${name} has two columns named "${twice}"`, 'rename one of them in the first line');
}

async function* rowsOf(records: AsyncGenerator<CsvRecord[]>): AsyncGenerator<Row | Rejection> {
  let row = 0;
  for await (const batch of records) {
    for (const record of batch) yield numbered(record, (row += 1));
    await turn();
  }
}

/** A broken row takes a number as well, so that mending it does not move the rows behind it. */
function numbered(record: CsvRecord, row: number): Row | Rejection {
  if (!('problem' in record)) return { line: record.line, row, cells: record.cells };
  const problem = { field: 'line', reason: record.problem, value: record.text };
  return { kind: 'rejection', line: record.line, row, problems: [problem] };
}
