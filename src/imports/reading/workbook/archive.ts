import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { messageOf, OperatorError } from '../../../kernel/errors.ts';
import { unreadable } from '../fileKind.ts';

/** Most parts of a workbook. Workbooks have some dozens, with many pictures some hundreds. */
const MOST_PARTS = 20_000;
const MEGABYTE = 1_000_000;

/** A part that is read in chunks, and its unpacked size in bytes. */
export interface Part {
  size: number;
  /** Returns the chunks. Can be iterated once. */
  chunks: () => AsyncIterable<Buffer>;
}

/** The parts of a workbook: the members of a zip archive. Names are compared in any case of letters. */
export interface Archive {
  has: (name: string) => boolean;
  /**
   * Returns the part of this name, if it exists. Throws an OperatorError when its declared length exceeds `most` bytes.
   * Reading throws when it is damaged or longer than declared.
   */
  part: (name: string, most: number) => Part | undefined;
  close: () => void;
}

/**
 * Opens a workbook. Throws an OperatorError for every other zip archive, and for a damaged one. Only requested parts
 * are unpacked, as they are read.
 */
export async function openArchive(path: string): Promise<Archive> {
  const name = basename(path);
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(path, { lazyEntries: true, autoClose: false });
    const entries = await entriesOf(zip, name);
    refuseOthers(path, entries);
    const opened = zip;
    return {
      has: (part) => entries.has(part.toLowerCase()),
      part(part, most) {
        const entry = entries.get(part.toLowerCase());
        return entry && partOf(opened, entry, most, name);
      },
      close: () => opened.close(),
    };
  } catch (error) {
    zip?.close();
    throw error instanceof OperatorError ? error : failureOf(name, error);
  }
}

/** Thrown when a workbook has more of something than can be read. */
export class TooMuch extends Error {}

/**
 * Returns the error for a workbook that could not be read to its end: it is too large, or its content contradicts
 * itself.
 */
export function failureOf(name: string, cause: unknown): OperatorError {
  if (cause instanceof TooMuch) return tooLarge(name, cause.message);
  const hint = 'open it in a spreadsheet program and save it again, or export it as CSV';
  return new OperatorError(`${name} is damaged: ${messageOf(cause)}`, hint, cause);
}

async function entriesOf(zip: ZipFile, name: string): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    entries.set(entry.fileName.toLowerCase(), entry);
    if (entries.size > MOST_PARTS) throw tooLarge(name, `it has more than ${MOST_PARTS} parts`);
  }
  return entries;
}

/** Other kinds of zip archives, by a member that only they have. */
const others: readonly [member: RegExp, what: string, hint: string][] = [
  [/^xl\/workbook\.bin$/, 'a workbook in the binary XLSB form', 'save it as XLSX or CSV'],
  [/^content\.xml$/, 'an OpenDocument file (ODS)', 'open it in a spreadsheet program and save it as XLSX or CSV'],
  [/^index(?:\.zip$|\/.*\.iwa$)/, 'a Numbers or Pages document', 'export it from there as CSV or Excel (XLSX)'],
  [/^word\/document\.xml$/, 'a Word document', 'export the bookings as CSV or XLSX instead'],
  [/^ppt\/presentation\.xml$/, 'a presentation', 'export the bookings as CSV or XLSX instead'],
];

function refuseOthers(path: string, entries: ReadonlyMap<string, Entry>): void {
  const names = [...entries.keys()];
  for (const [member, what, hint] of others) {
    if (names.some((name) => member.test(name))) throw unreadable(path, what, hint);
  }
  if (entries.has('[content_types].xml') || entries.has('xl/workbook.xml')) return;
  const held = names.slice(0, 5).join(', ') || 'nothing';
  throw unreadable(path, `a zip archive that holds ${held}`, 'unpack it, and import the file of bookings in it');
}

function partOf(zip: ZipFile, entry: Entry, most: number, name: string): Part {
  const { fileName, uncompressedSize: size } = entry;
  if (entry.isEncrypted()) throw new OperatorError(`${name} is encrypted`, 'save it without a password');
  if (size > most)
    throw tooLarge(name, `${fileName} has ${inMegabytes(size)} MB unpacked, more than ${inMegabytes(most)}`);
  return { size, chunks: () => chunksOf(zip, entry, name) };
}

/** Yields the unpacked bytes, and checks that they are no more than the directory of the archive declares. */
async function* chunksOf(zip: ZipFile, entry: Entry, name: string): AsyncGenerator<Buffer> {
  let sum = 0;
  const failed = (error: unknown) => failureOf(name, `${entry.fileName}: ${messageOf(error)}`);
  const stream = await zip.openReadStreamPromise(entry).catch((error: unknown) => Promise.reject(failed(error)));
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => Promise.reject(failed(error)));
      if (next.done) break;
      sum = crc32(next.value, sum);
      yield next.value;
    }
    if (sum !== entry.crc32) throw failed('its checksum is another');
  } finally {
    stream.destroy();
  }
}

function tooLarge(name: string, why: string): OperatorError {
  return new OperatorError(`${name} is too large to be read: ${why}`, 'save the sheet of bookings as CSV');
}

function inMegabytes(bytes: number): number {
  return Math.ceil(bytes / MEGABYTE);
}
