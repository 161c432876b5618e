import type { Kysely } from 'kysely';

// Why: the audit says by which application something was done, and what stood there before and after; people read it by
// time.

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['client_id', 'old_values', 'new_values']) {
    await db.schema.alterTable('audit').addColumn(column, 'text').execute();
  }
  await db.schema.createIndex('audit_by_time').on('audit').columns(['account_id', 'at', 'id']).execute();
}
