import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { messageOf, OperatorError, UsageError } from '../../kernel/errors.ts';
import {
  ERASURES_FILE,
  type ErasureRecord,
  mergedErasures,
  parseErasures,
  readErasures,
} from '../privacy/erasureLog.ts';
import { knownInstanceId } from '../privacy/privateFiles.ts';
import type { Manifest } from './manifest.ts';
import { filesOf } from './openArchive.ts';

/** The erasures that happened after a backup. */
interface LaterErasures {
  record: ErasureRecord;
  /** The place of the record; null if only the backup has one. */
  from: string | null;
}

interface Restoring {
  /** The directory of the restored databases. */
  dir: string;
  manifest: Manifest;
  /** The record in the backup itself. */
  inBackup: ErasureRecord | undefined;
  /** The record that the person who restores has named. */
  named: { path: string; record: ErasureRecord } | undefined;
}

/**
 * Merges the backup's record of erasures with the named one and the one in the target directory. If neither exists, the
 * one in the original data directory counts, if that is on this machine.
 */
export function laterErasures({ dir, manifest, inBackup, named }: Restoring): LaterErasures {
  const own = readErasures(dir);
  const origin = own === undefined && named === undefined ? originOf(manifest) : undefined;
  const ofOrigin = origin === undefined ? undefined : readErasures(origin);
  const found = [named?.record, own, ofOrigin, inBackup].filter((one) => one !== undefined);
  return { record: mergedErasures(found), from: named?.path ?? (own === undefined ? (origin ?? null) : dir) };
}

/** Compares the instance, because another installation may use the same path. */
function originOf({ data_dir, instance }: Manifest): string | undefined {
  if (data_dir === null || instance === null || !existsSync(join(data_dir, ERASURES_FILE))) return undefined;
  return knownInstanceId(data_dir) === instance ? data_dir : undefined;
}

/** Returns the record in a file, data directory or backup. Throws if there is none. */
export async function erasuresIn(path: string): Promise<ErasureRecord> {
  if (!existsSync(path))
    throw new UsageError(`there is no ${path}`, 'name the erasures.log that --erasures is to read');
  if (statSync(path).isDirectory()) {
    const record = readErasures(path);
    if (!record) throw new UsageError(`there is no ${ERASURES_FILE} in ${path}`, 'name the data directory of before');
    return record;
  }
  return /\.(tar|t?gz)$/.test(path) ? erasuresOfBackup(path) : parseErasures(await readFile(path, 'utf8'), path);
}

async function erasuresOfBackup(file: string): Promise<ErasureRecord> {
  let found: ErasureRecord | undefined;
  try {
    for await (const { header, body } of filesOf(file)) {
      if (header.name === ERASURES_FILE) found = parseErasures(await text(body), file);
      else await body.cancel();
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${file} is no whole backup: ${messageOf(error)}`, 'take another one', error);
  }
  if (found) return found;
  throw new OperatorError(`${file} holds no record of erasures`, 'name an erasures.log, or a backup of this version');
}
