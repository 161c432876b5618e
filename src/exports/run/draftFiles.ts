import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, OperatorError } from '../../kernel/errors.ts';
import { makeFolder } from '../../store/sealing/makeFolder.ts';
import type { WrittenFile } from '../formats/format.ts';
import type { DraftFile } from './order.ts';

const OWNER_ONLY = 0o600;
/** Bytes that gather before a write. */
const WRITE_BYTES = 65_536;

/**
 * Writes and syncs files under draft names; {@link placeFiles} gives them their final names.
 * @throws OperatorError if the folder cannot be written to; removes the files that it began
 */
export async function writeDrafts(
  files: AsyncIterable<WrittenFile>,
  { folder, name, extension }: { folder: string; name: string; extension: string },
): Promise<DraftFile[]> {
  const drafts: DraftFile[] = [];
  try {
    makeFolder(folder);
    for await (const file of files) {
      const own = `${name}${file.part === '' ? '' : `-${file.part}`}.${extension}`;
      drafts.push(await writeDraft(folder, own, file.chunks));
    }
    return drafts;
  } catch (error) {
    for (const { draft } of drafts) rmSync(draft, { force: true });
    if (isFileError(error)) {
      throw new OperatorError(
        `cannot write to ${folder}: ${messageOf(error)}`,
        'name a folder that stayd may write to',
        error,
      );
    }
    throw error;
  }
}

/** Writes one text as a draft file. */
export async function writeDraft(
  folder: string,
  name: string,
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string>,
): Promise<DraftFile> {
  const draft = join(folder, `.${name}.draft`);
  const hash = createHash('sha256');
  const handle = openSync(draft, 'w', OWNER_ONLY);
  let bytes = 0;
  try {
    let waiting: Buffer[] = [];
    let size = 0;
    const flush = () => {
      const block = Buffer.concat(waiting);
      hash.update(block);
      for (let at = 0; at < block.length;) at += writeSync(handle, block, at);
      bytes += block.length;
      waiting = [];
      size = 0;
    };
    for await (const chunk of chunks) {
      // The bytes are not copied: a format does not touch a chunk again after yielding it.
      const piece =
        typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      waiting.push(piece);
      size += piece.length;
      if (size >= WRITE_BYTES) flush();
    }
    flush();
    fsyncSync(handle);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
  return { name, draft, bytes, sha256: hash.digest('hex') };
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
