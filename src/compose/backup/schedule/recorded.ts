import type { Config } from '../../../config.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { instantOf } from '../../../kernel/dates.ts';
import { messageOf } from '../../../kernel/errors.ts';
import { drill, type Drilled } from './drill.ts';
import { type Made, makeBackup } from './makeBackup.ts';
import type { BackupPlan } from './plan.ts';
import { writeRecord } from './record.ts';

/** Makes a backup and writes down how it went. @throws OperatorError with what failed */
export async function recordedBackup(config: Config, plan: BackupPlan, clock: Clock): Promise<Made> {
  const at = instantOf(clock.now());
  try {
    const made = await makeBackup(config, plan, clock);
    const outcome = { at, problem: null, name: made.name };
    writeRecord(config.data_dir, { backup: outcome, made: outcome });
    return made;
  } catch (error) {
    writeRecord(config.data_dir, { backup: { at, problem: messageOf(error), name: null } });
    throw error;
  }
}

/** Restores a backup for a try and writes down how it went. @throws OperatorError with what failed */
export async function recordedDrill(
  config: Config,
  plan: BackupPlan,
  { wanted, clock }: { wanted?: string | undefined; clock: Clock },
): Promise<Drilled> {
  const at = instantOf(clock.now());
  try {
    const drilled = await drill(config, plan, { wanted, clock });
    writeRecord(config.data_dir, { drill: { at, problem: null, name: drilled.name } });
    return drilled;
  } catch (error) {
    writeRecord(config.data_dir, { drill: { at, problem: messageOf(error), name: wanted ?? null } });
    throw error;
  }
}
