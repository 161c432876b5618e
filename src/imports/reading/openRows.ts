import { readHead } from './fileHead.ts';
import { kindOf } from './fileKind.ts';
import type { FileFormat } from '../mapping.ts';
import { openCsv } from './readRows.ts';
import type { RowFile } from './rowFile.ts';

/**
 * Opens a file of rows, which is text with delimiters or a workbook, and reads its header. Throws an OperatorError when
 * there is none, when a column stands in it twice, or when the file is of another kind. Going through `rows`, or
 * leaving the loop, closes the file; else call `close`.
 */
export async function openRows(path: string, format: FileFormat): Promise<RowFile> {
  if (kindOf(path, await readHead(path)) === 'text') return openCsv(path, format);
  const { openWorkbook } = await import('./workbook/openWorkbook.ts');
  return openWorkbook(path, format);
}
