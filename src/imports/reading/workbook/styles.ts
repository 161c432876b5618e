import type { Archive } from './archive.ts';
import { readWholeXml } from './readXml.ts';

const MOST_BYTES = 20_000_000;

/** The display of a cell's number, where it changes the value. */
export type NumberKind = 'number' | 'percent' | 'date';

/** Formats that workbooks name by a number alone. */
const percents = new Set([9, 10]);
const dates: readonly [first: number, last: number][] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];

/** Returns the kind of number of each cell style, in the order in which cells refer to them. */
export async function readStyles(archive: Archive, name: string | undefined): Promise<NumberKind[]> {
  const part = name === undefined ? undefined : archive.part(name, MOST_BYTES);
  if (!part) return [];
  const codes = new Map<number, string>();
  const kinds: NumberKind[] = [];
  let isCellFormats = false;
  await readWholeXml(part.chunks(), {
    onOpen(tag, { numFmtId: id = '0', formatCode: code = '' }) {
      if (tag === 'numFmt') codes.set(Number(id), code);
      else if (tag === 'cellXfs') isCellFormats = true;
      else if (tag === 'xf' && isCellFormats) kinds.push(kindOfFormat(Number(id), codes.get(Number(id))));
    },
    onClose(tag) {
      if (tag === 'cellXfs') isCellFormats = false;
    },
  });
  return kinds;
}

/** @param code the format's text, when the workbook gives it */
function kindOfFormat(id: number, code: string | undefined): NumberKind {
  if (code !== undefined) return kindOfCode(code);
  if (percents.has(id)) return 'percent';
  return dates.some(([first, last]) => id >= first && id <= last) ? 'date' : 'number';
}

/**
 * Returns the kind of a format's text. Of several sections the first is for positive numbers. Quoted text proves
 * nothing: `0.00 "days"` is no date.
 */
function kindOfCode(code: string): NumberKind {
  const [section = ''] = code
    .replace(/"[^"]*"|\\.|_.|\*./g, ' ')
    .replace(/\[(?![hms]+\])[^\]]*\]/gi, ' ')
    .split(';');
  if (section.includes('%')) return 'percent';
  const digits = section.replace(/(?<=s)[.,]0+/gi, '').replace(/general|standard/gi, '0');
  return /[dmyhs]/i.test(digits) && !/[0#?]/.test(digits) ? 'date' : 'number';
}
