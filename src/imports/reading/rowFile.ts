import { OperatorError } from '../../kernel/errors.ts';
import type { Row } from '../fields/scope.ts';
import type { Rejection } from '../outcome.ts';
import type { CsvRecord } from './readRecords.ts';

/** A file of rows whose header has been read. The rows can be iterated once. */
export interface RowFile {
  name: string;
  header: readonly string[];
  /** Rows, and rejections of broken lines, in the order of the file. The event loop continues every few dozen rows. */
  rows: AsyncGenerator<Row | Rejection>;
  /** Bytes on disk, and the number read so far, for the progress. */
  size: number;
  bytesRead: () => number;
  /** Closes a file whose rows are not read. */
  close: () => Promise<void>;
}

/** Returns the names of the columns. Throws an OperatorError when there are none, or one occurs twice. */
export function headerOf(record: CsvRecord | undefined, name: string): string[] {
  if (!record) throw new OperatorError(`${name} is empty`, 'the first line must name the columns');
  if ('problem' in record) throw new OperatorError(`the header line of ${name} is broken: ${record.problem}`);
  const header = record.cells.map((cell) => cell.trim());
  const twice = header.find((column, index) => column !== '' && header.indexOf(column) !== index);
  if (twice === undefined) return header;
  throw new OperatorError(`${name} has two columns named "${twice}"`, 'rename one of them in the first line');
}
