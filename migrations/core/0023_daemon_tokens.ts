import type { Kysely } from 'kysely';
import { createTable } from '../tables.ts';

// Why: several processes on one database mirror the same accounts, and a container keeps no files, so that the tokens of the
// daemon beside the core are kept with the accounts.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, {
    name: 'daemon_tokens',
    columns: { account_id: 'text! primary key', token: 'text!' },
  });
}
