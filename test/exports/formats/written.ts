import { Buffer } from 'node:buffer';
import type { FormatOptions } from '../../../src/exports/formats/format.ts';
import { getFormat } from '../../../src/exports/formats/index.ts';
import type { Journal } from '../../../src/exports/journal/entry.ts';

export interface Written {
  part: string;
  bytes: Buffer;
}

/** What a format makes of a journal, whole. */
export async function writtenBy(name: string, journal: Journal, options: FormatOptions = {}): Promise<Written[]> {
  const files: Written[] = [];
  for await (const { part, chunks } of getFormat(name).write(journal, options)) {
    const pieces: Uint8Array[] = [];
    for await (const chunk of chunks) pieces.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    files.push({ part, bytes: Buffer.concat(pieces) });
  }
  return files;
}

/** The text of a format that makes one file. */
export async function textBy(name: string, journal: Journal, options: FormatOptions = {}): Promise<string> {
  const [file, ...others] = await writtenBy(name, journal, options);
  if (file === undefined || others.length > 0) throw new Error(`${name} made ${others.length + (file ? 1 : 0)} files`);
  return file.bytes.toString('utf8');
}
