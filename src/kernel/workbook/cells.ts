import { unformulated } from '../csvText.ts';
import { dayNumber, type PlainDate } from '../dates.ts';
import { type Currency, decimalText, exponentOf } from '../money.ts';
import { oneLine } from '../oneLine.ts';

/** Positions in the list of styles; numbers with n decimals are at `numbers + n`. */
const styles = { heading: 1, date: 2, text: 3, numbers: 4 } as const;
const MOST_DECIMALS = 4;

/** A cell without its place: the attributes and the content of `<c>`; null for an empty cell. */
export type Cell = { readonly attributes: string; readonly inside: string } | null;

/** Days from day 0 of spreadsheets to 1970. Day 0 is 1899-12-30 for all days since March 1900. */
const DAYS_BEFORE_1970 = 25_569;
/** Most digits of a number. A spreadsheet rounds further digits away, so longer numbers are written as text. */
const MOST_DIGITS = 15;
const LONGEST_TEXT = 8_000;

/**
 * Returns a cell whose text is inline and never a formula. A text that begins like a formula gets an apostrophe, so it
 * stays text when the sheet is saved as CSV.
 */
export function textCell(value: string | null, style: number = styles.text): Cell {
  const text = value === null ? '' : unformulated(oneLine(value, LONGEST_TEXT));
  if (text === '') return null;
  return {
    attributes: ` t="inlineStr" s="${style}"`,
    inside: `<is><t xml:space="preserve">${escaped(text)}</t></is>`,
  };
}

/** Returns a cell of a heading row. */
export function headingCell(value: string): Cell {
  return textCell(value, styles.heading);
}

/** Returns a real date; an empty cell for null. */
export function dateCell(date: PlainDate | null): Cell {
  if (date === null) return null;
  return { attributes: ` s="${styles.date}"`, inside: `<v>${dayNumber(date) + DAYS_BEFORE_1970}</v>` };
}

/** Returns a real number with the decimals of its currency. */
export function amountCell(amount: number | bigint, currency: Currency): Cell {
  return decimalCell(decimalText(amount, currency), exponentOf(currency));
}

/** Returns a whole number. */
export function countCell(count: number | bigint): Cell {
  return decimalCell(String(count), 0);
}

/** Returns a real number, written as a decimal, with so many decimals. */
export function decimalCell(text: string, decimals: number): Cell {
  if (text.replace(/\D/g, '').replace(/^0+/, '').length > MOST_DIGITS) return textCell(`'${text}`);
  return { attributes: ` s="${styles.numbers + decimals}"`, inside: `<v>${text}</v>` };
}

/** Escapes a text for XML. `_x0041_` means a character by its code, so a text of that form is escaped too. */
function escaped(text: string): string {
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

const FORMATS = [
  'yyyy-mm-dd',
  ...Array.from(
    { length: MOST_DECIMALS + 1 },
    (_, decimals) => `#,##0${decimals === 0 ? '' : '.'}${'0'.repeat(decimals)}`,
  ),
];
/** First id of own number formats. Lower ids are built-in formats of spreadsheet programs; 49 is text. */
const FIRST_FORMAT = 164;
const TEXT_FORMAT = 49;

const formatsXml = FORMATS.map((code, index) => `<numFmt numFmtId="${FIRST_FORMAT + index}" formatCode="${code}"/>`);
const font = (bold: string) => `<font>${bold}<sz val="11"/><name val="Calibri"/></font>`;
const style = (format: number, fontId: number) =>
  `<xf numFmtId="${format}" fontId="${fontId}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`;
/** In the order of `styles`: plain, heading, date, text, then the numbers. */
const stylesInOrder = [
  style(0, 0),
  style(TEXT_FORMAT, 1),
  style(FIRST_FORMAT, 0),
  style(TEXT_FORMAT, 0),
  ...FORMATS.slice(1).map((_, decimals) => style(FIRST_FORMAT + 1 + decimals, 0)),
];

/** The content of `xl/styles.xml`. */
export const stylesXml = [
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
  `<numFmts count="${formatsXml.length}">${formatsXml.join('')}</numFmts>`,
  `<fonts count="2">${font('')}${font('<b/>')}</fonts>`,
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  `<cellXfs count="${stylesInOrder.length}">${stylesInOrder.join('')}</cellXfs>`,
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
  '</styleSheet>',
].join('');
