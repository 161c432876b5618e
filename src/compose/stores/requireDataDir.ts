import { resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { UsageError } from '../../kernel/errors.ts';
import { hasServed } from '../privacy/privateFiles.ts';

/**
 * Refuses a directory without a service, past or present; only `start`, `migrate` and `restore` create one.
 * @throws UsageError with the directory
 */
export function requireDataDir({ data_dir: dir }: Config): void {
  if (hasServed(dir)) return;
  throw new UsageError(
    `there is no stayd in ${resolve(dir)}`,
    'run the command in the folder of yours or name its data directory by STAYD_DATA_DIR; ./stayd start makes a new one',
  );
}
