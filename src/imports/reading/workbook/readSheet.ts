import { TooMuch, type Part } from './archive.ts';
import { isoCell, numberCell, type Cell } from './cell.ts';
import { readXml } from './readXml.ts';
import type { NumberKind } from './styles.ts';
import { textCollector, unescaped } from './texts.ts';

/** Limits of spreadsheet programs. */
const MOST_COLUMNS = 16_384;
const LAST_LINE = 1_048_576;
/** Most rows that are not empty, without the header. */
const MOST_ROWS = 1_000_000;

/** A row that is not empty. */
export interface SheetRow {
  /** Its number in the sheet, counted from 1. */
  line: number;
  cells: Cell[];
}

/** Texts and styles that the cells of a sheet refer to. */
export interface Shared {
  texts: readonly string[];
  styles: readonly NumberKind[];
  from1904: boolean;
}

/**
 * Yields the rows of a sheet in batches, without the empty ones. A formula counts by its stored result. One without a
 * result is read as its own text, `=A1+B1`, so that no amount is taken for nothing. Throws when the sheet has more than
 * a million rows or contradicts itself.
 */
export async function* readSheet(part: Part, shared: Shared): AsyncGenerator<SheetRow[]> {
  let rows: SheetRow[] = [];
  let count = 0;
  const listener = sheetListener(shared, (row) => rows.push(row));
  for await (const _ of readXml(part.chunks(), listener)) {
    if (rows.length === 0) continue;
    count += rows.length;
    if (count > MOST_ROWS + 1) throw new TooMuch(`it has more than ${MOST_ROWS} rows`);
    const batch = rows;
    rows = [];
    yield batch;
  }
}

/** An incomplete cell: its attributes and its content so far. */
interface OpenCell {
  column: number;
  type: string;
  style: string | undefined;
  value: string | undefined;
  formula: string | undefined;
}

function sheetListener(shared: Shared, onRow: (row: SheetRow) => void) {
  const inline = textCollector();
  let row: SheetRow = { line: 0, cells: [] };
  let cell: OpenCell | undefined;
  let column = 0;
  let open = '';
  let isData = false;
  return {
    onOpen(tag: string, { r: place, t: type = 'n', s: style }: Readonly<Record<string, string>>) {
      open = tag;
      if (tag === 'sheetData') isData = true;
      if (!isData) return;
      if (tag === 'row') {
        row = { line: lineOf(place, row.line), cells: [] };
        column = 0;
      } else if (tag === 'c') {
        column = columnOf(place, column);
        cell = { column, type, style, value: undefined, formula: undefined };
      } else if (cell) {
        if (tag === 'v') cell.value = '';
        if (tag === 'f') cell.formula = '';
        inline.onOpen(tag);
      }
    },
    onText(text: string) {
      if (!cell) return;
      if (open === 'v') cell.value += text;
      else if (open === 'f') cell.formula += text;
      else inline.onText(text);
    },
    onClose(tag: string) {
      open = '';
      inline.onClose(tag);
      if (tag === 'c' && cell) {
        const value = valueOf(cell, inline.take(), shared);
        if (value !== undefined && value !== '') row.cells[cell.column - 1] = value;
        cell = undefined;
      } else if (tag === 'row' && isData && row.cells.some(isFilled)) {
        onRow(row);
      } else if (tag === 'sheetData') {
        isData = false;
      }
    },
  };
}

/** Returns the line of a row. Rows and cells without a position follow those before them. */
function lineOf(place: string | undefined, last: number): number {
  const line = place === undefined ? last + 1 : Number(place);
  if (Number.isSafeInteger(line) && line > last && line <= LAST_LINE) return line;
  throw new Error(`row ${line} follows row ${last}`);
}

function columnOf(place: string | undefined, last: number): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}(?=\d)/.exec(place ?? '')?.[0] ?? '')
    column = column * 26 + letter.charCodeAt(0) - 64;
  if (place === undefined) column = last + 1;
  if (column > last && column <= MOST_COLUMNS) return column;
  throw new Error(`cell ${place ?? column} follows column ${last}`);
}

function valueOf({ type, style, value, formula }: OpenCell, inline: string, { texts, styles, from1904 }: Shared): Cell {
  if (type === 'inlineStr') return inline;
  if (value === undefined || (value === '' && type !== 'str')) return formula === undefined ? undefined : `=${formula}`;
  if (type === 's') return sharedText(texts, value);
  if (type === 'b') return value === '1' || value === 'true' ? 'TRUE' : 'FALSE';
  if (type === 'd') return isoCell(value) ?? value;
  if (type !== 'n') return unescaped(value);
  const number = Number(value);
  if (!Number.isFinite(number)) throw new Error(`"${value}" is no number`);
  return numberCell(number, styles[Number(style ?? 0)] ?? 'number', from1904);
}

function sharedText(texts: readonly string[], index: string): string {
  const text = texts[Number(index)];
  if (text === undefined) throw new Error(`it has no text ${index}`);
  return text;
}

function isFilled(cell: Cell): boolean {
  return typeof cell !== 'string' ? cell !== undefined : cell.trim() !== '';
}
