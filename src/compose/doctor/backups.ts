import type { Config } from '../../config.ts';
import type { Clock } from '../../kernel/clock.ts';
import { instantOf } from '../../kernel/dates.ts';
import { backupTroubles } from '../backup/schedule/health.ts';
import { backupsAmong } from '../backup/schedule/names.ts';
import { backupPlan } from '../backup/schedule/plan.ts';
import { readRecord } from '../backup/schedule/record.ts';
import { type Finding, note, ok, problem } from './finding.ts';

const CHECK = 'backups';

/** Checks the backups that stayd makes by itself: how the last ones went, and whether their place answers. */
export async function lookAtBackups(config: Config, clock: Clock): Promise<Finding[]> {
  const plan = await backupPlan(config);
  if (!plan?.schedule) {
    return [note(CHECK, 'stayd makes none by itself', 'set backup.schedule and backup.to, or run ./stayd backup')];
  }
  const record = readRecord(config.data_dir);
  const now = clock.now();
  const troubles = backupTroubles(plan, record, { since: record.backup?.at ?? instantOf(now), now });
  if (troubles.length > 0) return troubles.map(({ says, remedy }) => problem(CHECK, says, remedy));
  const [newest] = backupsAmong(await plan.place.list());
  if (!newest) return [note(CHECK, `there is none in ${plan.place.name} yet`, './stayd backups run makes one')];
  return [ok(CHECK, `the newest in ${plan.place.name} is of ${newest.made_at}`)];
}
