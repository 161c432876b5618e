import { open, type FileHandle } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { OperatorError, messageOf } from '../../kernel/errors.ts';

const GZIP_MAGIC = 0x1f8b;
/** Bytes from which the kind of a file is recognised. */
const HEAD_BYTES = 4_096;

/** The start of a file, unpacked if it is gzipped. */
export interface FileHead {
  isGzip: boolean;
  bytes: Buffer;
}

/** Opens a file for reading. Throws an OperatorError on failure, as for a folder. */
export async function openToRead(path: string): Promise<{ handle: FileHandle; size: number; head: FileHead }> {
  const handle = await open(path).catch((error: unknown) => {
    throw new OperatorError(`cannot read ${path}: ${messageOf(error)}`, 'check the path and its permissions', error);
  });
  try {
    const { size } = await handle.stat();
    return { handle, size, head: await headOf(handle) };
  } catch (error) {
    await handle.close();
    throw new OperatorError(`cannot read ${path}: ${messageOf(error)}`, 'check that it is a file', error);
  }
}

/** Reads the start of a file and closes it. */
export async function readHead(path: string): Promise<FileHead> {
  const { handle, head } = await openToRead(path);
  await handle.close();
  return head;
}

/** Returns the content as a stream that closes the handle, and the number of bytes read from the file. */
export function contentOf(handle: FileHandle, { isGzip }: FileHead): { bytes: Readable; bytesRead: () => number } {
  const file = handle.createReadStream({ start: 0 });
  const bytes = isGzip ? pipeline(file, createGunzip(), () => undefined) : file;
  return { bytes, bytesRead: () => file.bytesRead };
}

async function headOf(handle: FileHandle): Promise<FileHead> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const start = buffer.subarray(0, bytesRead);
  const isGzip = bytesRead >= 2 && start.readUInt16BE(0) === GZIP_MAGIC;
  return { isGzip, bytes: isGzip ? await unpackedStart(start) : start };
}

/** Unpacks as much of the start of a gzip file as possible. Damage shows when the whole file is read. */
async function unpackedStart(packed: Buffer): Promise<Buffer> {
  const gunzip = createGunzip();
  gunzip.end(packed);
  let bytes = Buffer.alloc(0);
  try {
    for await (const chunk of gunzip) {
      bytes = Buffer.concat([bytes, chunk as Buffer]);
      if (bytes.length >= HEAD_BYTES) break;
    }
  } catch {
    // The packed bytes are cut off in the middle, as expected.
  }
  return bytes.subarray(0, HEAD_BYTES);
}
