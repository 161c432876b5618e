import { basename } from 'node:path';
import { OperatorError } from '../../../kernel/errors.ts';
import type { Row } from '../../fields/scope.ts';
import { headerOf, type RowFile } from '../rowFile.ts';
import type { Cell } from './cell.ts';
import { cellWriter, type Notation } from './notation.ts';
import { openSheet, type Sheet } from './openSheet.ts';
import type { SheetRow } from './readSheet.ts';

/**
 * Opens a sheet of a workbook as rows of text, in the notation of a mapping. A row is identified by its number in the
 * sheet. Cells to the right of the last named column are left out. Throws an OperatorError when there is no header, or
 * a column occurs twice.
 */
export async function openWorkbook(path: string, format: Notation & { sheet?: string | undefined }): Promise<RowFile> {
  const sheet = await openSheet(path, format.sheet);
  const close = async () => {
    await sheet.rows.return(undefined);
    sheet.close();
  };
  try {
    const name = basename(path);
    const write = cellWriter(format);
    const { head, batches } = await withoutHead(sheet);
    const header = headerCells(head, sheet, name).map(write);
    const rows = rowsOf(batches, header.length, write);
    return {
      name,
      header: headerOf({ line: head?.line ?? 1, cells: header }, name),
      rows,
      size: sheet.size,
      bytesRead: sheet.bytesRead,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Returns the cells of the header up to the last that is not empty. Throws an OperatorError when the sheet has no rows.
 */
export function headerCells(head: SheetRow | undefined, { name: sheet, visible }: Sheet, name: string): Cell[] {
  if (head) return Array.from(head.cells);
  const others = visible.filter((each) => each !== sheet);
  const hint = others.length === 0 ? '' : `, or set format.sheet in the mapping to one of: ${others.join(', ')}`;
  throw new OperatorError(`the sheet "${sheet}" of ${name} is empty`, `its first row must name the columns${hint}`);
}

/** Returns the first row, and batches of the following ones. */
async function withoutHead({
  rows,
}: Sheet): Promise<{ head: SheetRow | undefined; batches: AsyncGenerator<SheetRow[]> }> {
  const first = await rows.next();
  const [head, ...behind] = first.done ? [] : first.value;
  const batches = async function* () {
    yield behind;
    yield* rows;
  };
  return { head, batches: batches() };
}

async function* rowsOf(
  batches: AsyncIterable<SheetRow[]>,
  columns: number,
  write: (cell: Cell) => string,
): AsyncGenerator<Row> {
  let count = 0;
  for await (const batch of batches) {
    for (const each of batch) {
      const row = rowOf(each, columns, write);
      if (row) yield { ...row, row: (count += 1) };
    }
  }
}

/** Returns the cells below named columns; undefined when all of them are empty. */
export function rowOf(
  { line, cells }: SheetRow,
  columns: number,
  write: (cell: Cell) => string,
): Pick<Row, 'line' | 'cells'> | undefined {
  const texts = Array.from({ length: columns }, (_, index) => write(cells[index]));
  return texts.some((text) => text.trim() !== '') ? { line, cells: texts } : undefined;
}
