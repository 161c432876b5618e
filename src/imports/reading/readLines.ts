import type { Readable } from 'node:stream';
import { OperatorError, messageOf } from '../../kernel/errors.ts';
import { contentOf, openToRead } from './fileHead.ts';
import { kindOf, markedEncoding, unreadable } from './fileKind.ts';

/** Most characters of a line. A longer one means that the file is not CSV. */
const LONGEST_LINE = 1_000_000;

/** A text file that is read line by line, compressed or not. */
interface LineFile {
  /** Bytes on disk, and the number read so far, for the progress. */
  size: number;
  bytesRead: () => number;
  /** The lines in batches, without their ends. Can be iterated once. */
  batches: AsyncGenerator<string[]>;
}

/**
 * Opens a text file, compressed (recognised by its first bytes) or not. Throws an OperatorError when it is no text.
 * Reading throws one when the file is damaged or is not text in its encoding.
 * @param encoding a label of the Encoding Standard; a byte order mark in the file overrides it
 */
export async function openLines(path: string, encoding: string): Promise<LineFile> {
  const { handle, size, head } = await openToRead(path);
  try {
    if (kindOf(path, head) !== 'text') throw unreadable(path, 'a zip archive', 'unpack it first');
  } catch (error) {
    await handle.close();
    throw error;
  }
  const { bytes, bytesRead } = contentOf(handle, head);
  return { size, bytesRead, batches: linesOf(bytes, path, markedEncoding(head) ?? encoding) };
}

/** Returns true for the error of a file that was opened in the wrong encoding. */
export function isOfOtherEncoding(error: unknown): boolean {
  return error instanceof OperatorError && isDecodingError(error.cause);
}

/** Thrown for null bytes, which no text contains except most characters of UTF-16. */
class NullBytes extends Error {
  override message = 'null bytes, as text in UTF-16 has them';
}

async function* linesOf(bytes: Readable, path: string, encoding: string): AsyncGenerator<string[]> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const isWide = encoding.startsWith('utf-16');
  let rest = '';
  let done = 0;
  try {
    for await (const chunk of bytes) {
      if (!isWide && (chunk as Buffer).includes(0)) throw new NullBytes();
      const decoded = decoder.decode(chunk, { stream: true });
      if (isWide && decoded.includes('\0')) throw new Error('null characters, which no text has');
      // A carriage return at the very end may be half of a line end, so it waits for the next chunk.
      const text = rest + decoded;
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
  if (error instanceof NullBytes) {
    return 'set format.encoding in the mapping to utf-16le or utf-16be; if the file is no text, export it as CSV';
  }
  if (isDecodingError(error)) {
    return 'the file is in another encoding: set format.encoding in the mapping (utf-8, latin1, utf-16le or utf-16be)';
  }
  return 'the file is damaged or is no CSV: export it again';
}

function isDecodingError(error: unknown): boolean {
  return error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
}
