import type { Kysely } from 'kysely';

// Why: lock codes and the addresses of webhooks are kept encrypted. A migration holds no key, so the next start seals
// what stands in clear; here it notes how far it came.

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sealings')
    .addColumn('name', 'text', (column) => column.notNull().primaryKey())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('cursor', 'text')
    .addColumn('found', 'integer', (column) => column.notNull())
    .addColumn('proof', 'text', (column) => column.notNull())
    .execute();
}
