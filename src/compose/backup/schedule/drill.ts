import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../config.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Instant } from '../../../kernel/dates.ts';
import { OperatorError } from '../../../kernel/errors.ts';
import { openStore } from '../../../store/store.ts';
import type { Mirror } from '../../../sync/tables/database.ts';
import { locationOf } from '../../stores/stores.ts';
import { type Half, halves } from '../manifest.ts';
import { restore } from '../restore.ts';
import { backupsAmong, type StoredBackup } from './names.ts';
import type { BackupPlan } from './plan.ts';
import { loadedFrom } from './postgresTools.ts';

/** A backup that was restored to a place of its own. */
export interface Drilled {
  name: string;
  made_at: Instant;
  seconds: number;
  /** Reservations in it, by half. */
  reservations: Record<Half, number>;
}

/**
 * Restores a backup to a place of its own, checks it whole, counts what it holds, and removes it.
 * @param wanted its name; the newest if undefined
 * @throws OperatorError if it cannot be restored
 */
export async function drill(
  config: Config,
  plan: BackupPlan,
  { wanted, clock }: { wanted?: string | undefined; clock: Clock },
): Promise<Drilled> {
  const begun = clock.monotonic();
  const backup = await chosen(plan, wanted);
  const folder = mkdtempSync(join(config.data_dir, 'drill-'));
  try {
    const file = join(folder, backup.name);
    await plan.place.fetch(backup.name, file);
    const counts = await countsIn(file, { folder, config, clock });
    return { ...backup, seconds: Math.round((clock.monotonic() - begun) / 100) / 10, ...counts };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws OperatorError if there is none, or none of that name */
export async function chosen({ place }: BackupPlan, wanted?: string): Promise<StoredBackup> {
  const backups = backupsAmong(await place.list());
  const backup = wanted === undefined ? backups[0] : backups.find(({ name }) => name === wanted);
  if (backup) return backup;
  const which = wanted === undefined ? 'no backup' : `no backup ${wanted}`;
  throw new OperatorError(`there is ${which} in ${place.name}`, './stayd backups list shows them');
}

interface Surroundings {
  folder: string;
  config: Config;
  clock: Clock;
}

async function countsIn(file: string, { folder, config, clock }: Surroundings) {
  if (config.database_url !== null) {
    const database = `stayd_drill_${clock.now()}`;
    return await loadedFrom(file, config.database_url, {
      database,
      look: (url) => counted({ ...config, database_url: url }),
    });
  }
  const restored = { ...config, data_dir: join(folder, 'data') };
  await restore(restored, file, { clock });
  return await counted(restored);
}

async function counted(config: Config): Promise<Pick<Drilled, 'reservations'>> {
  const reservations = { core: 0, mirror: 0 };
  for (const half of halves) {
    const store = await openStore<Mirror>(locationOf(config, half));
    try {
      const { count } = await store.db
        .selectFrom('reservations')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      reservations[half] = Number(count);
    } finally {
      await store.close();
    }
  }
  return { reservations };
}
