import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { OWNER_ONLY_FILE } from '../../../store/sealing/privateFile.ts';

const outcome = z.object({
  at: z.string(),
  /** null: it succeeded. */
  problem: z.string().nullable(),
  /** The backup that was made or tried; null if there was none. */
  name: z.string().nullable(),
});

const recordSchema = z.object({
  /** The last attempt, and the last that succeeded. */
  backup: outcome.nullable(),
  made: outcome.nullable(),
  drill: outcome.nullable(),
});

/** How the last backup and the last drill went. */
export type BackupRecord = z.output<typeof recordSchema>;
export type Outcome = z.output<typeof outcome>;

const FILE = 'backups.json';
const NOTHING: BackupRecord = { backup: null, made: null, drill: null };

/** Reads the record of a data directory; empty if there is none, or none that can be read. */
export function readRecord(dataDir: string): BackupRecord {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')));
  } catch {
    return NOTHING;
  }
}

export function writeRecord(dataDir: string, change: Partial<BackupRecord>): void {
  const file = join(dataDir, FILE);
  const text = `${JSON.stringify({ ...readRecord(dataDir), ...change }, null, 2)}\n`;
  writeFileSync(`${file}.new`, text, { mode: OWNER_ONLY_FILE });
  renameSync(`${file}.new`, file);
}
