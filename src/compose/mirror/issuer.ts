import { existsSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { findAccount } from '../../core/accounts/table.ts';
import { lookInFile } from '../../core/brands/brand.ts';
import type { CoreDatabase } from '../../core/database.ts';
import type { Look } from '../../kernel/markup/look.ts';
import type { AskRows } from '../../reports/read.ts';
import { openStore } from '../../store/store.ts';
import { locationOf } from '../stores/stores.ts';

/** The connection that mirrors the core of this installation. */
const LOCAL = 'local';

/** Returns the look of the account that issues a statement; undefined for one whose core is elsewhere. */
export async function lookOfIssuer(config: Config, ask: AskRows, connection: string): Promise<Look | undefined> {
  if (connection !== LOCAL || config.upstream.url !== null) return undefined;
  const [mirrored] = await ask<{ account_id: string }>(ACCOUNT, [connection]);
  const location = locationOf(config, 'core');
  if (!mirrored || (location.kind === 'sqlite' && !existsSync(location.file))) return undefined;
  const core = await openStore<CoreDatabase>(location);
  try {
    const account = await findAccount(core.db, mirrored.account_id);
    return account && (await lookInFile(core.db, account));
  } finally {
    await core.close();
  }
}

const ACCOUNT = `select account_id from accounts where connection = $1 and deleted_at is null`;
