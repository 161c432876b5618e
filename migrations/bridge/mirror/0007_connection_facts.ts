import type { Kysely } from 'kysely';
import { createTable } from '../../mirror/tables.ts';

// Why: what a connection has to remember about itself: by which name it registers, whether automations may act.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, {
    name: 'connection_facts',
    columns: { name: 'text!', value: 'text!', changed_at: 'text!' },
    key: ['name'],
    narrow: true,
  });
}
