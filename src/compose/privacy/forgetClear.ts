import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { rewriteInBackground } from '../../store/sqlite/rewriteFile.ts';
import { rewriteTables } from '../../store/sqlite/rewriteTables.ts';
import type { Store } from '../../store/store.ts';
import { locationOf, type Placing } from '../stores/stores.ts';

interface Forgetting<DB> {
  store: Store<DB>;
  config: Placing;
  half: 'core' | 'mirror';
  /** Tables in which a value was sealed that was stored in clear before. */
  tables: readonly string[];
  log: Logger;
}

/**
 * Rewrites a database in which clear values were sealed, because its free pages or dead rows still hold them. Takes
 * about as long as one copy of the file.
 * @returns false if it failed; people see the reason, and the service can continue
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
