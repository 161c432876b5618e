import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { rewriteInBackground } from '../../store/sqlite/rewriteFile.ts';
import { rewriteTables } from '../../store/sqlite/rewriteTables.ts';
import type { Store } from '../../store/store.ts';
import { locationOf, type Placing } from '../stores/stores.ts';

export interface Forgetting<DB> {
  store: Store<DB>;
  config: Placing;
  half: 'core' | 'mirror';
  /** Those in which something was sealed that stood there in clear. */
  tables: readonly string[];
  log: Logger;
}

/**
 * Rewrites a database in which something was sealed that stood there in clear: its free pages, or dead rows, hold it
 * still. Takes about as long as copying the file, once.
 * @returns false: it could not be done, which people are told; the service can go on without it
 */
export async function forgetClear<DB>({ store, config, half, tables, log }: Forgetting<DB>): Promise<boolean> {
  log.info({ half }, 'lock codes and addresses of before are encrypted; rewriting the database, once');
  const location = locationOf(config, half);
  try {
    if (location.kind === 'postgres') await rewriteTables(store.db, tables);
    else {
      const { file } = location;
      await store.exclusively(() => rewriteInBackground({ file, strings: [] }));
    }
    return true;
  } catch (error) {
    log.warn(
      { half, problem: messageOf(error) },
      'the database could not be rewritten, so its free pages hold lock codes and addresses of before in clear; the ' +
        'next start tries again: it takes as much room on the disk as the database itself',
    );
    return false;
  }
}
