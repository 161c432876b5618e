import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { OperatorError } from '../errors.ts';

/** One file of an archive; its content is read once, in pieces. */
export interface Member {
  readonly name: string;
  readonly content: AsyncIterable<string>;
}

/** A moment before the first one of the format, which the archive then stores: the time of writing does not show. */
const NO_TIME = { mtime: new Date(0), forceDosTimestamp: true } as const;
/** Largest size. Beyond it, sizes need the 64-bit form, which some spreadsheet programs cannot read. */
const LARGEST = 0xffff_fffe;

/**
 * Makes a zip archive while it is read. Never holds a complete member in memory. The same content gives the same bytes.
 */
export async function* zipped(members: AsyncIterable<Member>): AsyncGenerator<Uint8Array> {
  const archive = new ZipFile();
  const output = archive.outputStream as Readable;
  const given = new AbortController();
  const filling = fill(archive, members, given.signal).catch((error: Error) => output.destroy(error));
  let bytes = 0;
  try {
    for await (const chunk of output as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > LARGEST) throw tooLarge();
      yield chunk;
    }
  } finally {
    // A caller who stops reading also stops the packing.
    given.abort();
    await filling;
  }
}

async function fill(archive: ZipFile, members: AsyncIterable<Member>, signal: AbortSignal): Promise<void> {
  for await (const { name, content } of members) {
    const stream = Readable.from(limited(content), { highWaterMark: 1, signal });
    archive.addReadStream(stream, name, { ...NO_TIME, compressionLevel: 4 });
    await finished(stream);
  }
  archive.end();
}

async function* limited(content: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of content) {
    const chunk = Buffer.from(piece);
    bytes += chunk.length;
    if (bytes > LARGEST) throw tooLarge();
    yield chunk;
  }
}

function tooLarge(): OperatorError {
  return new OperatorError('the workbook grows beyond 4 GB', 'ask for a shorter period, or for csv');
}
