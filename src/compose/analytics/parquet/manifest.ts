import { z } from 'zod';
import { UsageError } from '../../../kernel/errors.ts';
import type { ParquetPlace } from './place.ts';

const FORMAT = 1;
const MANIFEST = 'stayd-parquet.json';
const PARTS: readonly string[] = ['tables', 'history'];

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

/** What lies in a place of Parquet files. */
export type ParquetManifest = z.output<typeof manifestSchema>;

/** @throws UsageError if the place holds something else */
export async function readManifest(place: ParquetPlace): Promise<ParquetManifest | undefined> {
  const text = await place.read(MANIFEST);
  if (text !== undefined) {
    const read = manifestSchema.safeParse(JSON.parse(text));
    if (read.success) return read.data;
    throw new UsageError(`${MANIFEST} in ${place.name} is none of this version of stayd`, 'name an empty folder');
  }
  const other = (await place.top()).find((name) => !PARTS.includes(name));
  if (other === undefined) return undefined;
  throw new UsageError(`${place.name} holds ${other}, and no ${MANIFEST}`, 'name an empty folder, or a new one');
}

/** Writes the manifest, the last of a run: until then the files of before count. */
export async function writeManifest(place: ParquetPlace, manifest: Omit<ParquetManifest, 'format'>): Promise<void> {
  await place.write(MANIFEST, `${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`);
}

/** Removes files that the manifest does not name: an interrupted run left them. */
export async function removeUnnamed(place: ParquetPlace, manifest: ParquetManifest | undefined): Promise<void> {
  const stretches = Object.values(manifest?.stretches ?? {}).flatMap((one) => Object.values(one).flat());
  const named = new Set([...Object.values(manifest?.tables ?? {}), ...stretches].map(({ file }) => file));
  for (const part of PARTS) {
    for (const name of await place.below(part)) if (!named.has(name)) await place.remove(name);
  }
}
