import { basename } from 'node:path';
import { OperatorError } from '../../kernel/errors.ts';
import type { FileHead } from './fileHead.ts';

/**
 * Kinds of files whose rows can be read: text with delimiters, and workbooks. Zip archives are distinguished when
 * opened.
 */
type FileKind = 'text' | 'zip';

const SAVE_AS = 'open it in a spreadsheet program and save it as XLSX or CSV';
const UNPACK = 'unpack it, and import the file that is in it';

/** Kinds of files known by their first bytes, with advice for each. */
const known: readonly [magic: readonly number[], what: string, hint: string][] = [
  [[0xd0, 0xcf, 0x11, 0xe0], 'a workbook in the old XLS form, or one with a password', SAVE_AS],
  ...[0x00, 0x02, 0x04, 0x08].map((kind) => old([0x09, kind])),
  [bytesOf('%PDF-'), 'a PDF document', 'export the bookings as CSV or XLSX instead'],
  [bytesOf('7z\u00bc\u00af'), 'a 7-Zip archive', UNPACK],
  [bytesOf('Rar!\u001a'), 'a RAR archive', UNPACK],
  [bytesOf('BZh91AY'), 'packed by bzip2', UNPACK],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'packed by xz', UNPACK],
  [[0x28, 0xb5, 0x2f, 0xfd], 'packed by Zstandard', UNPACK],
  [bytesOf('SQLite format 3'), 'an SQLite database', 'export its table of bookings as CSV'],
  [bytesOf('\u0089PNG'), 'a picture', 'export the bookings as CSV or XLSX instead'],
  [[0xff, 0xd8, 0xff], 'a picture', 'export the bookings as CSV or XLSX instead'],
];

/** Structured text without delimiters, by its beginning. */
const structured: readonly [start: RegExp, what: string, hint: string][] = [
  [/^\s*(?:\{\s*["}]|\[\s*(?:[{[]|\]\s*$))/, 'JSON', 'export the bookings as CSV or XLSX instead'],
  [/^\s*<\?xml|^\s*<(?:ss:)?workbook\b/i, 'XML', SAVE_AS],
  [/^\s*<(?:!doctype html|!--|html|head|body|meta|style|table|div)\b/i, 'a page of HTML', SAVE_AS],
];

/**
 * Returns the kind of a file by its content; the name does not count. Text in disguise, such as a `.xls` with tabs, is
 * text. Throws an OperatorError that names a kind that cannot be read and gives advice.
 */
export function kindOf(path: string, head: FileHead): FileKind {
  if (isZip(head.bytes)) {
    if (!head.isGzip) return 'zip';
    throw unreadable(path, 'a gzipped workbook or zip archive', 'unpack it first, for instance by gunzip');
  }
  for (const [magic, what, hint] of known) {
    if (startsWith(head.bytes, magic)) throw unreadable(path, what, hint);
  }
  const start = startOf(head.bytes);
  for (const [pattern, what, hint] of structured) {
    if (pattern.test(start)) throw unreadable(path, what, hint);
  }
  return 'text';
}

/** Returns the encoding of a byte order mark, as a label of the Encoding Standard. */
export function markedEncoding({ bytes }: FileHead): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
  if (startsWith(bytes, [0xef, 0xbb, 0xbf])) return 'utf-8';
  if (startsWith(bytes, [0xff, 0xfe])) return 'utf-16le';
  return startsWith(bytes, [0xfe, 0xff]) ? 'utf-16be' : undefined;
}

/** Returns the byte order of UTF-16 without a mark. Its delimiters and line ends have one null byte each. */
export function unmarkedUtf16({ bytes }: FileHead): 'utf-16le' | 'utf-16be' | undefined {
  const zeros = [0, 0];
  for (const [index, byte] of bytes.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (even === odd) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

/** Returns the error for a file of a kind that cannot be read. */
export function unreadable(path: string, what: string, hint: string): OperatorError {
  return new OperatorError(`${basename(path)} is ${what}, which cannot be read`, hint);
}

/** Returns true for a zip archive, which begins with a member, or with its end when it is empty. */
function isZip(bytes: Buffer): boolean {
  return startsWith(bytes, bytesOf('PK\u0003\u0004')) || startsWith(bytes, bytesOf('PK\u0005\u0006'));
}

function startOf(bytes: Buffer): string {
  const marked = markedEncoding({ isGzip: false, bytes });
  return new TextDecoder(marked ?? 'windows-1252').decode(bytes);
}

function startsWith(bytes: Buffer, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}

function bytesOf(text: string): number[] {
  return [...Buffer.from(text, 'latin1')];
}

/** Returns the entry of a workbook from before XLS had a container. */
function old(magic: number[]): [number[], string, string] {
  return [magic, 'a workbook in the old XLS form', SAVE_AS];
}
