import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { OperatorError } from '../../../kernel/errors.ts';
import { failureOf, openArchive, type Archive, type Part } from './archive.ts';
import { readLayout, type Layout, type SheetPart } from './layout.ts';
import { readSheet, type Shared, type SheetRow } from './readSheet.ts';
import { readStyles } from './styles.ts';
import { readTexts } from './texts.ts';

/**
 * Most bytes of a sheet. A sheet is never complete in memory, so it may be long: that of a hotel's 120,000 reservations
 * has 130 MB.
 */
const LONGEST_SHEET = 1_000_000_000;

/** A sheet of a workbook. Its rows can be iterated once. */
export interface Sheet {
  name: string;
  /** Names of the visible sheets, including this one. */
  visible: readonly string[];
  rows: AsyncGenerator<SheetRow[]>;
  /** Bytes on disk, and a proportional estimate of those read so far. */
  size: number;
  bytesRead: () => number;
  close: () => void;
}

/**
 * Returns the names of the visible sheets, or of all if none is visible. Throws an OperatorError when there are none.
 */
export async function sheetNames(path: string): Promise<string[]> {
  const archive = await openArchive(path);
  try {
    return visibleOf((await layoutOf(archive, basename(path))).sheets).map(({ name }) => name);
  } finally {
    archive.close();
  }
}

/**
 * Opens a sheet of a workbook, by default the first visible one. Throws an OperatorError when the file is no readable
 * workbook or has no such sheet. Reading the rows throws one when the sheet is damaged or too large.
 */
export async function openSheet(path: string, wanted: string | undefined): Promise<Sheet> {
  const name = basename(path);
  const { size } = await stat(path);
  const archive = await openArchive(path);
  try {
    const layout = await layoutOf(archive, name);
    const sheet = chosen(layout.sheets, wanted, name);
    const part = archive.part(sheet.part, LONGEST_SHEET);
    if (!part) throw new Error(`it has no part ${sheet.part}`);
    const shared = await sharedOf(archive, layout);
    const progress = measured(part);
    return {
      name: sheet.name,
      visible: visibleOf(layout.sheets).map((each) => each.name),
      rows: rowsOf(progress.part, shared, archive, name),
      size,
      bytesRead: () => Math.round(size * progress.share()),
      close: archive.close,
    };
  } catch (error) {
    archive.close();
    throw error instanceof OperatorError ? error : failureOf(name, error);
  }
}

async function layoutOf(archive: Archive, name: string): Promise<Layout> {
  try {
    const layout = await readLayout(archive);
    if (layout.sheets.length === 0) throw new Error('it has no sheet');
    return layout;
  } catch (error) {
    throw error instanceof OperatorError ? error : failureOf(name, error);
  }
}

async function sharedOf(archive: Archive, { texts, styles, from1904 }: Layout): Promise<Shared> {
  return { texts: await readTexts(archive, texts), styles: await readStyles(archive, styles), from1904 };
}

/** Returns the wanted sheet. Names are equal in any case of letters, as in spreadsheet programs. */
function chosen(sheets: readonly SheetPart[], wanted: string | undefined, name: string): SheetPart {
  const isWanted = (sheet: SheetPart) => sheet.name.toLowerCase() === wanted?.toLowerCase();
  const sheet = wanted === undefined ? visibleOf(sheets)[0] : sheets.find(isWanted);
  if (sheet) return sheet;
  const names = sheets.map((each) => each.name).join(', ');
  throw new OperatorError(`${name} has no sheet "${wanted}"`, `set format.sheet in the mapping to one of: ${names}`);
}

function visibleOf(sheets: readonly SheetPart[]): readonly SheetPart[] {
  const visible = sheets.filter(({ isHidden }) => !isHidden);
  return visible.length > 0 ? visible : sheets;
}

async function* rowsOf(part: Part, shared: Shared, archive: Archive, name: string): AsyncGenerator<SheetRow[]> {
  try {
    yield* readSheet(part, shared);
  } catch (error) {
    throw error instanceof OperatorError ? error : failureOf(name, error);
  } finally {
    archive.close();
  }
}

/** Returns the same part, and the share of it that has been read. */
function measured({ size, chunks }: Part): { part: Part; share: () => number } {
  let read = 0;
  const counted = async function* () {
    for await (const chunk of chunks()) {
      read += chunk.length;
      yield chunk;
    }
  };
  return { part: { size, chunks: counted }, share: () => (size === 0 ? 1 : Math.min(1, read / size)) };
}
