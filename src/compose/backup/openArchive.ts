import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';

const GZIP = 0x1f8b;

/**
 * The files of an archive; the body of each is read or cancelled before the next one is asked for. Throws when it is no
 * archive, or ends too early.
 */
export function filesOf(file: string): AsyncIterable<ParsedTarEntry> {
  return Readable.toWeb(plainBytes(file)).pipeThrough(createTarDecoder({ strict: true }));
}

/** The bytes of a file, unpacked where they are packed. */
function plainBytes(file: string): Readable {
  const start = Buffer.alloc(2);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, start);
  closeSync(descriptor);
  const stream = createReadStream(file);
  return start.readUInt16BE() === GZIP ? pipeline(stream, createGunzip(), () => undefined) : stream;
}
