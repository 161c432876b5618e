import type { Kysely } from 'kysely';
import { createTable } from '../../mirror/tables.ts';

// Why: deliveries that are refused were not counted anywhere, so nobody saw that every event of a deployment was.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, {
    name: 'refused_deliveries',
    columns: { reason: 'text!', times: 'bigint!', first_at: 'text!', last_at: 'text!' },
    key: ['reason'],
  });
}
