import type { Kysely } from 'kysely';
import { createTable } from '../tables.ts';

// Why: the daemon beside mirrors every account that is to be mirrored, each by a connection of its own whose name stays.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, {
    name: 'account_connections',
    columns: { account_id: 'text! primary key', connection: 'text! unique', mirrored: 'integer!' },
    checks: { account_connections_mirrored: 'mirrored in (0, 1)' },
  });
}
