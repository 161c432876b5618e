import type { Kysely } from 'kysely';
import { createTable } from '../../mirror/tables.ts';

// Why: locked months are corrected by other settings only once somebody has said that this is meant.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, {
    name: 'export_settings',
    columns: { policy_hash: 'text!', rules: 'bigint!', settings: 'text!', at: 'text!' },
    key: [],
  });
}
