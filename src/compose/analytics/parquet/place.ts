import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Config } from '../../../config.ts';
import { UsageError } from '../../../kernel/errors.ts';
import { makeFolder } from '../../../store/sealing/makeFolder.ts';
import { OWNER_ONLY_FILE } from '../../../store/sealing/privateFile.ts';
import { writeWhole } from '../../stores/wholeFile.ts';

/** Where Parquet files lie: a folder of this machine, or of a bucket. Names have `/` between their parts. */
export interface ParquetPlace {
  /** The place, for people. */
  readonly name: string;
  /** Returns the names of files and folders directly in it. */
  top(): Promise<string[]>;
  /** Returns the names of all files below a folder of it. */
  below(part: string): Promise<string[]>;
  read(name: string): Promise<string | undefined>;
  /** Writes a file, completely or not at all. */
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Writes a file that is not there yet for others. */
  draft(name: string, chunks: AsyncIterable<Uint8Array>): Promise<Draft>;
  /** Removes what drafts have left. */
  close(): void;
}

/** A file that has been written beside its place. */
export interface Draft {
  sha256: string;
  /** Gives the file its name. */
  keep(): Promise<void>;
  drop(): void;
}

/**
 * @param to a folder, or `s3://bucket/folder` in the storage of the backups
 * @throws UsageError if it is neither, or if a setting of the storage is missing
 */
export async function parquetPlace(to: string, config: Config): Promise<ParquetPlace> {
  // Loaded only where there is such a storage.
  if (to.startsWith('s3://')) return bucketPlace(to, config);
  if (/^\w+:\/\//.test(to)) throw new UsageError(`${to} is no folder`, 'name a folder, or a bucket: s3://rooms/stayd');
  return folderPlace(resolve(to));
}

function folderPlace(folder: string): ParquetPlace {
  const at = (name: string) => join(folder, name);
  return {
    name: folder,
    top: async () => (existsSync(folder) ? readdirSync(folder) : []),
    async below(part) {
      if (!existsSync(at(part))) return [];
      return readdirSync(at(part), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
    },
    read: async (name) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : undefined),
    async write(name, text) {
      makeFolder(folder);
      writeWhole(at(name), [text]);
    },
    remove: async (name) => rmSync(at(name)),
    async draft(name, chunks) {
      const file = at(name);
      const sha256 = await written(`${file}.tmp`, chunks);
      return {
        sha256,
        keep: async () => renameSync(`${file}.tmp`, file),
        drop: () => rmSync(`${file}.tmp`),
      };
    },
    close: () => {},
  };
}

/** Files are made whole on this machine, and then stored, each by one act. */
async function bucketPlace(to: string, { backup, data_dir }: Config): Promise<ParquetPlace> {
  const { openBucket } = await import('../../bucket/bucket.ts');
  const bucket = openBucket(to, backup.s3, '--parquet names');
  let drafts: string | undefined;
  return {
    name: to,
    top: async () => [...new Set((await bucket.list()).map((name) => name.split('/', 1)[0] ?? ''))],
    below: async (part) => (await bucket.list()).filter((name) => name.startsWith(`${part}/`)),
    read: (name) => bucket.read(name),
    write: (name, text) => bucket.write(name, text),
    remove: (name) => bucket.remove(name),
    async draft(name, chunks) {
      drafts ??= mkdtempSync(join(data_dir, 'parquet-'));
      const file = join(drafts, 'draft.parquet');
      const sha256 = await written(file, chunks);
      return { sha256, keep: () => bucket.store(file, name), drop: () => rmSync(file) };
    },
    close() {
      if (drafts !== undefined) rmSync(drafts, { recursive: true, force: true });
    },
  };
}

/** Writes a file, synced. @returns the digest of its content */
async function written(file: string, chunks: AsyncIterable<Uint8Array>): Promise<string> {
  makeFolder(dirname(file));
  rmSync(file, { force: true });
  const handle = await open(file, 'wx', OWNER_ONLY_FILE);
  const hash = createHash('sha256');
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      await handle.write(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return hash.digest('hex');
}
