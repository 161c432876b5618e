/** What a spreadsheet may take for the beginning of a formula, in its plain and its full-width form, blanks before it or not. */
const FORMULA = /^(?:[\t\r\n\0]|\s*[=+\-@＝＋－＠])/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** A text that no spreadsheet runs: what begins like a formula gets an apostrophe before it. */
export function unformulated(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** A value of a CSV file: a number stays one, a text that a spreadsheet would run gets an apostrophe before it. */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = unformulated(value);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line, its end included. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\n`;
}
