import type { Kysely } from 'kysely';

// Why: lock codes, and addresses that let in whoever has them, are kept encrypted. A migration holds no key, so the next
// start seals what stands in clear; here it notes how far it came, for all connections together.

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sealings')
    .addColumn('connection', 'text', (column) => column.notNull().defaultTo('*'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('cursor', 'text')
    .addColumn('found', 'bigint', (column) => column.notNull())
    .addColumn('proof', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('sealings_key', ['connection', 'name'])
    .execute();
}
