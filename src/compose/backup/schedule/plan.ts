import type { Config } from '../../../config.ts';
import { OperatorError, UsageError } from '../../../kernel/errors.ts';
import { type Cron, readCron } from '../../../sync/scans/reconcile/cron.ts';
import type { Keep } from './names.ts';
import { type BackupPlace, folderPlace } from './place.ts';

/** When backups are made and tried, and where they lie. */
export interface BackupPlan {
  /** null: only on request. */
  schedule: Cron | null;
  drill: Cron | null;
  zone: string;
  keep: Keep;
  place: BackupPlace;
}

/**
 * Returns the plan of the settings; undefined if they name no place.
 * @throws UsageError with the setting that is wrong or missing
 */
export async function backupPlan({
  backup,
  account,
}: Pick<Config, 'backup' | 'account'>): Promise<BackupPlan | undefined> {
  const { to, keep } = backup;
  const schedule = cronOf('schedule', backup.schedule);
  const drill = cronOf('drill', backup.drill);
  if (to === null) {
    if (schedule === null && drill === null) return undefined;
    throw new UsageError(
      `backup.${schedule === null ? 'drill' : 'schedule'} is given, and backup.to is not`,
      'name a folder, or a bucket: STAYD_BACKUP_TO=/srv/backups',
    );
  }
  return { schedule, drill, zone: backup.zone ?? account.time_zone, keep, place: await placeOf(to, backup.s3) };
}

/** @throws OperatorError if the settings name no place */
export async function requiredPlan(config: Pick<Config, 'backup' | 'account'>): Promise<BackupPlan> {
  const plan = await backupPlan(config);
  if (!plan) {
    throw new OperatorError('backup.to names no place for backups', 'set it, such as STAYD_BACKUP_TO=/srv/backups');
  }
  return plan;
}

async function placeOf(to: string, storage: Config['backup']['s3']): Promise<BackupPlace> {
  if (!to.startsWith('s3://')) return folderPlace(to);
  // Loaded only where there is such a storage.
  const { s3Place } = await import('./s3Place.ts');
  return s3Place(to, storage);
}

function cronOf(name: string, pattern: string | null): Cron | null {
  if (pattern === null) return null;
  const cron = readCron(pattern);
  if ('problem' in cron) {
    throw new UsageError(
      `backup.${name}: "${pattern}" ${cron.problem}`,
      'write it as in crontab, such as "15 3 * * *"',
    );
  }
  return cron;
}
