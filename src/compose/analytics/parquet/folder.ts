import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../../../kernel/errors.ts';
import { makeFolder } from '../../../store/sealing/makeFolder.ts';
import { OWNER_ONLY_FILE } from '../../../store/sealing/privateFile.ts';
import { writeWhole } from '../../stores/wholeFile.ts';

const FORMAT = 1;
const MANIFEST = 'stayd-parquet.json';

const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  stayd: z.string(),
  made_at: z.string(),
  /** True if columns that name or describe a person are in it. */
  persons: z.boolean(),
  /** Who was erased when it was written, as a digest. */
  erasures: z.string(),
  /** Files that hold the whole current state of a table. */
  tables: z.record(z.string(), z.strictObject({ file: z.string(), sha256: z.string(), rows: z.int() })),
  /** Files that hold a stretch of a history each, by history and connection, in their order. */
  stretches: z.record(
    z.string(),
    z.record(z.string(), z.array(z.strictObject({ file: z.string(), to: z.int(), rows: z.int() }))),
  ),
});

/** What lies in a folder of Parquet files. */
export type ParquetManifest = z.output<typeof manifestSchema>;

/** @throws UsageError if the folder holds something else */
export function readManifest(folder: string): ParquetManifest | undefined {
  const file = join(folder, MANIFEST);
  if (existsSync(file)) {
    const read = manifestSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    if (read.success) return read.data;
    throw new UsageError(`${file} is none of this version of stayd`, 'name an empty folder');
  }
  const others = existsSync(folder) ? readdirSync(folder).filter((name) => !['tables', 'history'].includes(name)) : [];
  if (others.length === 0) return undefined;
  throw new UsageError(`${folder} holds ${others[0]}, and no ${MANIFEST}`, 'name an empty folder, or a new one');
}

/** Writes the manifest, the last of a run: until then the files of before count. */
export function writeManifest(folder: string, manifest: Omit<ParquetManifest, 'format'>): void {
  makeFolder(folder);
  writeWhole(join(folder, MANIFEST), [`${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`]);
}

/** Removes files that the manifest does not name: an interrupted run left them. */
export function removeUnnamed(folder: string, manifest: ParquetManifest | undefined): void {
  const named = new Set(
    manifest
      ? [
          ...Object.values(manifest.tables).map(({ file }) => file),
          ...Object.values(manifest.stretches).flatMap((one) =>
            Object.values(one)
              .flat()
              .map(({ file }) => file),
          ),
        ]
      : [],
  );
  for (const part of ['tables', 'history']) {
    if (!existsSync(join(folder, part))) continue;
    for (const entry of readdirSync(join(folder, part), { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      const name = file.slice(folder.length + 1).replaceAll(sep, '/');
      if (entry.isFile() && !named.has(name)) rmSync(file);
    }
  }
}

/** A file that has been written beside its place. */
export interface Draft {
  sha256: string;
  /** Gives the file its name. */
  keep(): void;
  drop(): void;
}

/** Writes a file beside its place, synced. */
export async function writeDraft(file: string, chunks: AsyncIterable<Uint8Array>): Promise<Draft> {
  makeFolder(dirname(file));
  const draft = `${file}.tmp`;
  rmSync(draft, { force: true });
  const handle = await open(draft, 'wx', OWNER_ONLY_FILE);
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
  return {
    sha256: hash.digest('hex'),
    keep: () => renameSync(draft, file),
    drop: () => rmSync(draft),
  };
}
