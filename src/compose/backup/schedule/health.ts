import { type Instant, instantOf, msOf } from '../../../kernel/dates.ts';
import { lastRun } from '../../../sync/scans/reconcile/cron.ts';
import type { BackupPlan } from './plan.ts';
import type { BackupRecord } from './record.ts';

/** What is wrong with the backups. */
export interface BackupTrouble {
  says: string;
  remedy: string;
}

/** Time that a backup may take before it is missed. */
const GRACE_MS = 2 * 3_600_000;

/**
 * Returns what is wrong with the backups: the last attempt failed, one is missing, or the last drill failed.
 * @param since when stayd began to make them
 */
export function backupTroubles(
  { schedule, zone, place }: BackupPlan,
  { backup, made, drill }: BackupRecord,
  { since, now }: { since: Instant; now: number },
): BackupTrouble[] {
  const troubles: BackupTrouble[] = [];
  const last = made ? `the last one is of ${made.at}` : 'there is none yet';
  if (backup && backup.problem !== null) {
    troubles.push({
      says: `the backup of ${backup.at} failed, and ${last}: ${backup.problem}`,
      remedy: `see that stayd may write to ${place.name}, then ./stayd backups run`,
    });
  } else if (schedule) {
    const due = lastRun(schedule, zone, [msOf(made?.at ?? since), now - GRACE_MS]);
    if (due !== undefined) {
      troubles.push({
        says: `no backup was made at ${instantOf(due)}, when one was due; ${last}`,
        remedy: './stayd backups run makes one, and says what hinders it',
      });
    }
  }
  if (drill && drill.problem !== null) {
    troubles.push({
      says: `the drill of ${drill.at} could not restore ${drill.name ?? 'a backup'}: ${drill.problem}`,
      remedy: './stayd backups run makes a new one; ./stayd backups drill tries it',
    });
  }
  return troubles;
}
