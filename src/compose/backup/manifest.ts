import { z } from 'zod';
import { OperatorError } from '../../kernel/errors.ts';
import { ERASURES_FILE } from '../privacy/erasureLog.ts';

/** The format version. It grows when an older stayd can no longer read a newer file. */
export const FORMAT = 2;
export const MANIFEST = 'stayd-backup.json';

export const halves = ['core', 'mirror'] as const;
export type Half = (typeof halves)[number];

const file = z.object({ bytes: z.int().min(0), sha256: z.string() });

const manifest = z.object({
  format: z.int(),
  /** The release that wrote the backup. */
  stayd: z.string(),
  made_at: z.string(),
  /** The id of the key that seals the secrets; null if none was found. The key itself is left out. */
  key_id: z.string().nullable(),
  /** The data directory of the backup, and the id of that installation. */
  data_dir: z.string().nullable().default(null),
  instance: z.string().nullable().default(null),
  files: z.object({ 'core.db': file, 'mirror.db': file, [ERASURES_FILE]: file.optional() }),
});
export type Manifest = z.output<typeof manifest>;

/** Parses the manifest of a backup. Throws OperatorError if this version cannot use the backup. */
export function readManifest(text: string): Manifest {
  const format: unknown = Reflect.get(Object(JSON.parse(text)), 'format');
  if (typeof format === 'number' && format > FORMAT) {
    throw new OperatorError('the backup was made by a newer version of stayd', 'upgrade stayd, then restore it');
  }
  return manifest.parse(JSON.parse(text));
}
