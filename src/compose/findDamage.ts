import type { Config } from '../config.ts';
import { messageOf, OperatorError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';
import { checkInBackground } from '../store/integrity.ts';
import { locationOf } from './stores.ts';

const REMEDY = {
  core: 'stop, and put a backup of core.db in its place',
  mirror: 'stop, move mirror.db away, and start again: it is read anew, but its history is lost',
} as const;

/**
 * Checks both database files from end to end beside the running service, as is due after an unclean stop.
 * PostgreSQL looks after itself.
 */
export async function findDamage(config: Config, log: Logger): Promise<OperatorError | undefined> {
  for (const half of ['core', 'mirror'] as const) {
    const location = locationOf(config, half);
    if (location.kind !== 'sqlite') continue;
    try {
      const problems = await checkInBackground(location.file);
      log.info({ file: location.file, problems: problems.length }, 'checked the database after an unclean stop');
      if (problems.length > 0) return new OperatorError(`${location.file} is damaged: ${problems[0]}`, REMEDY[half]);
    } catch (error) {
      log.warn({ file: location.file, problem: messageOf(error) }, 'the database could not be checked');
    }
  }
  return undefined;
}
