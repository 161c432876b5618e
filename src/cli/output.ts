import { stripVTControlCharacters } from 'node:util';

type Cell = string | number | boolean | null | undefined;

/** Formats rows under headings, with each column padded to its widest cell. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cells = [headings, ...rows].map((row) => row.map((cell) => (cell == null ? '-' : String(cell))));
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => width(row[column] ?? ''))));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - width(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function width(text: string): number {
  return stripVTControlCharacters(text).length;
}

/** Formats a value as indented JSON. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Formats 1234567 as `1,234,567`. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

/** Formats a count with its noun: `1 row`, `1,234 rows`. */
export function counted(count: number, one: string): string {
  return `${grouped(count)} ${count === 1 ? one : `${one}s`}`;
}

/** Formats seconds as `45 s`, `12 min`, `3 h` or `2 d`. */
export function span(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}
