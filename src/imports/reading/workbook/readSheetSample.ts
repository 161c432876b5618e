import { basename } from 'node:path';
import type { Row } from '../../fields/scope.ts';
import { headerOf } from '../rowFile.ts';
import { cellWriter, plainNotation, type Notation } from './notation.ts';
import { openSheet } from './openSheet.ts';
import { headerCells, rowOf } from './openWorkbook.ts';
import type { SheetRow } from './readSheet.ts';

/** The start of a sheet, in any notation. */
interface SheetSample {
  header: string[];
  rows: Row[];
  rowsIn: (notation: Notation) => Row[];
}

/** Reads the header of a sheet and at most so many rows after it. Throws an OperatorError as `openWorkbook` does. */
export async function readSheetSample(path: string, wanted: string, most: number): Promise<SheetSample> {
  const sheet = await openSheet(path, wanted);
  const [head, ...behind] = await firstRows(sheet.rows, most + 1);
  sheet.close();
  const name = basename(path);
  const cells = headerCells(head, sheet, name).map(cellWriter(plainNotation));
  const header = headerOf({ line: head?.line ?? 1, cells }, name);
  const rowsIn = (notation: Notation) => {
    const write = cellWriter(notation);
    return behind
      .flatMap((row) => rowOf(row, header.length, write) ?? [])
      .map((row, index) => ({ ...row, row: index + 1 }));
  };
  return { header, rows: rowsIn(plainNotation), rowsIn };
}

async function firstRows(batches: AsyncIterable<SheetRow[]>, most: number): Promise<SheetRow[]> {
  const rows: SheetRow[] = [];
  for await (const batch of batches) {
    rows.push(...batch);
    if (rows.length >= most) break;
  }
  return rows.slice(0, most);
}
