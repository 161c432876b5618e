import { basename } from 'node:path';
import { turn } from '../../kernel/clock.ts';
import type { Row } from '../fields/scope.ts';
import { delimiters, encodings, type FileFormat } from '../mapping.ts';
import type { Rejection } from '../outcome.ts';
import { openLines } from './readLines.ts';
import { readRecords, type CsvRecord } from './readRecords.ts';
import { headerOf, type RowFile } from './rowFile.ts';

/**
 * Opens text with delimiters, plain or gzip, and reads its header. Throws an OperatorError when there is none, or when
 * a column occurs twice. Iterating over `rows`, or leaving the loop, closes the file; otherwise call `close`.
 */
export async function openCsv(path: string, format: Pick<FileFormat, 'delimiter' | 'encoding'>): Promise<RowFile> {
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

async function* rowsOf(records: AsyncGenerator<CsvRecord[]>): AsyncGenerator<Row | Rejection> {
  let row = 0;
  for await (const batch of records) {
    for (const record of batch) yield numbered(record, (row += 1));
    await turn();
  }
}

/** Numbers a row. A broken row has a number as well, so that repairing it does not move the following rows. */
function numbered(record: CsvRecord, row: number): Row | Rejection {
  if (!('problem' in record)) return { line: record.line, row, cells: record.cells };
  const problem = { field: 'line', reason: record.problem, value: record.text };
  return { kind: 'rejection', line: record.line, row, problems: [problem] };
}
