import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';

const GZIP = 0x1f8b;

/**
 * Yields the files of an archive. Read or cancel the body of each before the next. Throws if the file is no archive or
 * is truncated.
 */
export function filesOf(file: string): AsyncIterable<ParsedTarEntry> {
  return Readable.toWeb(plainBytes(file)).pipeThrough(createTarDecoder({ strict: true }));
}

/** Reads a file and unpacks it if it is gzipped. */
function plainBytes(file: string): Readable {
  const start = Buffer.alloc(2);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, start);
  closeSync(descriptor);
  const stream = createReadStream(file);
  return start.readUInt16BE() === GZIP ? pipeline(stream, createGunzip(), () => undefined) : stream;
}
