import type { Kysely } from 'kysely';
import { createTable } from '../../mirror/tables.ts';

// Why: a connection may read by OAuth. Each refresh token is good once, so the newest one must be kept, and one process
// at a time may use it.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, {
    name: 'upstream_tokens',
    columns: {
      given_hash: 'text!',
      refresh_token: 'text!',
      access_token: 'text',
      given_at: 'text',
      expires_at: 'text',
      refused: 'text',
      refused_at: 'text',
      leased_by: 'text',
      leased_until: 'bigint!',
      changed_at: 'text!',
    },
    key: [],
  });
}
