/**
 * Characters that a spreadsheet may read as the beginning of a formula, in plain or full-width form, with or without
 * blanks before them.
 */
const FORMULA = /^(?:[\t\r\n\0]|\s*[=+\-@＝＋－＠])/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** Puts an apostrophe before a text that a spreadsheet would run as a formula. */
export function unformulated(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Formats a value for a CSV file: numbers remain numbers, and text that a spreadsheet would run gets an apostrophe. */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = unformulated(value);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Formats one line, with its end. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\n`;
}
