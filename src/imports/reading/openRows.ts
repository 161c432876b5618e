import { readHead } from './fileHead.ts';
import { kindOf } from './fileKind.ts';
import type { FileFormat } from '../mapping.ts';
import { openCsv } from './readRows.ts';
import type { RowFile } from './rowFile.ts';

/**
 * Opens a file of rows, text with delimiters or a workbook, and reads its header. Throws an OperatorError when there is
 * none, when a column occurs twice, or for other kinds of files. Iterating over `rows`, or leaving the loop, closes the
 * file; otherwise call `close`.
 */
export async function openRows(path: string, format: FileFormat): Promise<RowFile> {
  if (kindOf(path, await readHead(path)) === 'text') return openCsv(path, format);
  const { openWorkbook } = await import('./workbook/openWorkbook.ts');
  return openWorkbook(path, format);
}
