import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import type { TarFile } from './tar.ts';

const GZIP = 0x1f8b;

/** The bytes of a file, unpacked where they are packed. */
export function plainBytes(file: string): AsyncIterable<Buffer> {
  const start = Buffer.alloc(2);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, start);
  closeSync(descriptor);
  const stream = createReadStream(file);
  return start.readUInt16BE() === GZIP ? stream.pipe(createGunzip()) : stream;
}

/** A file of an archive as text. */
export async function textOf({ content }: TarFile): Promise<string> {
  const parts: Buffer[] = [];
  for await (const chunk of content) parts.push(chunk);
  return Buffer.concat(parts).toString('utf8');
}

/** Passes over a file of an archive. */
export async function skip({ content }: TarFile): Promise<void> {
  for await (const _ of content);
}
