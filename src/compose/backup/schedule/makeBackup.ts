import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../config.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { messageOf, OperatorError } from '../../../kernel/errors.ts';
import { ERASURES_FILE } from '../../privacy/erasureLog.ts';
import { backup } from '../backup.ts';
import { dumpTo } from './postgresTools.ts';
import { backupName, backupsAmong, noLongerKept } from './names.ts';
import type { BackupPlan } from './plan.ts';

/** What was made, and what was removed for it. */
export interface Made {
  name: string;
  /** Where it lies, for people. */
  place: string;
  bytes: number;
  removed: string[];
}

/**
 * Makes a backup, stores it with the record of erased guests, and then removes those that nobody keeps.
 * @throws OperatorError with what failed; what was there before stays
 */
export async function makeBackup(config: Config, plan: BackupPlan, clock: Clock): Promise<Made> {
  const onPostgres = config.database_url !== null;
  const name = backupName(clock.now(), onPostgres ? 'dump' : 'tar.gz');
  const folder = mkdtempSync(join(config.data_dir, 'backup-'));
  try {
    const file = join(folder, name);
    if (config.database_url === null) await backup(config, file, { clock, onProgress: () => {} });
    else await dumpTo(file, config.database_url);
    const { size: bytes } = statSync(file);
    await stored(plan, file, name);
    const erasures = join(config.data_dir, ERASURES_FILE);
    if (existsSync(erasures)) {
      const copy = join(folder, ERASURES_FILE);
      copyFileSync(erasures, copy);
      await stored(plan, copy, ERASURES_FILE);
    }
    return { name, place: plan.place.name, bytes, removed: await prune(plan) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function stored({ place }: BackupPlan, file: string, name: string): Promise<void> {
  try {
    await place.store(file, name);
  } catch (error) {
    throw new OperatorError(`${name} could not be stored in ${place.name}: ${messageOf(error)}`, undefined, error);
  }
}

async function prune({ place, keep, zone }: BackupPlan): Promise<string[]> {
  const over = noLongerKept(backupsAmong(await place.list()), keep, zone).map(({ name }) => name);
  for (const name of over) await place.remove(name);
  return over;
}
