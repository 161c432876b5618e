import { existsSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { accountOfConnection, isOfOwnCore } from '../../core/accounts/connections.ts';
import { findAccount } from '../../core/accounts/table.ts';
import { lookInFile } from '../../core/brands/brand.ts';
import type { CoreDatabase } from '../../core/database.ts';
import type { Look } from '../../kernel/markup/look.ts';
import { openStore } from '../../store/store.ts';
import { locationOf } from '../stores/stores.ts';

/** Returns the look of the account that issues a statement; undefined for one whose core is elsewhere. */
export async function lookOfIssuer(config: Config, connection: string): Promise<Look | undefined> {
  if (!isOfOwnCore(connection) || config.upstream.url !== null) return undefined;
  const location = locationOf(config, 'core');
  if (location.kind === 'sqlite' && !existsSync(location.file)) return undefined;
  const core = await openStore<CoreDatabase>(location);
  try {
    // The core says whose connection it is, not the rows that came with it.
    const accountId = await accountOfConnection(core.db, connection);
    const account = accountId === undefined ? undefined : await findAccount(core.db, accountId);
    return account && (await lookInFile(core.db, account));
  } finally {
    await core.close();
  }
}
