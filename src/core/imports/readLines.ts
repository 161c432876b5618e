import { open, type FileHandle } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { OperatorError, messageOf } from '../../kernel/errors.ts';

/** A longer line means that the file is no CSV. */
const LONGEST_LINE = 1_000_000;
const GZIP_MAGIC = 0x1f8b;

/** A text file read line by line, compressed or not. */
export interface LineFile {
  /** Bytes on disk, and how many of them have been read: the progress. */
  size: number;
  bytesRead: () => number;
  /** The lines in batches, without their ends; can be gone through once. */
  batches: AsyncGenerator<string[]>;
}

/**
 * Opens a file, compressed (known by its first bytes) or not. Reading throws an OperatorError when the file
 * is damaged or is not text in the stated encoding.
 * @param encoding a label of the Encoding Standard
 */
export async function openLines(path: string, encoding: string): Promise<LineFile> {
  const handle = await open(path).catch((error: unknown) => {
    throw new OperatorError(`cannot read ${path}: ${messageOf(error)}`, 'check the path and its permissions', error);
  });
  try {
    const { size } = await handle.stat();
    const isGzip = await startsAsGzip(handle);
    const file = handle.createReadStream({ start: 0 });
    const bytes = isGzip ? pipeline(file, createGunzip(), () => undefined) : file;
    return { size, bytesRead: () => file.bytesRead, batches: linesOf(bytes, path, encoding) };
  } catch (error) {
    await handle.close();
    throw new OperatorError(`cannot read ${path}: ${messageOf(error)}`, 'check that it is a file', error);
  }
}

async function startsAsGzip(handle: FileHandle): Promise<boolean> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
  return bytesRead === 2 && buffer.readUInt16BE(0) === GZIP_MAGIC;
}

async function* linesOf(bytes: Readable, path: string, encoding: string): AsyncGenerator<string[]> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let rest = '';
  let done = 0;
  try {
    for await (const chunk of bytes) {
      // A carriage return at the very end may be half of a line end: it waits for the next chunk.
      const text = rest + decoder.decode(chunk, { stream: true });
      const whole = text.endsWith('\r') ? text.slice(0, -1) : text;
      const lines = whole.split(/\r\n|\n|\r/);
      rest = (lines.pop() ?? '') + text.slice(whole.length);
      if (rest.length > LONGEST_LINE) throw new Error(`the line is longer than ${LONGEST_LINE} characters`);
      done += lines.length;
      if (lines.length > 0) yield lines;
    }
    const last = (rest + decoder.decode()).replace(/\r$/, '');
    if (last !== '') yield [last];
  } catch (error) {
    throw new OperatorError(
      `${path} cannot be read on from about line ${done + 1}: ${messageOf(error)}`,
      hintOf(error),
      error,
    );
  }
}

function hintOf(error: unknown): string {
  const isEncoding =
    error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
  if (isEncoding) return 'the file is in another encoding: set format.encoding in the mapping (utf-8 or latin1)';
  return 'the file is damaged or is no CSV: export it again';
}
