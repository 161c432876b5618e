import type { Kysely } from 'kysely';

// Why: a request that creates something can be sent again when its answer was lost, and is carried out once: what was
// answered is kept for a day, sealed, by the key that the caller gave it.

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('caller', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('answer', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_key', ['account_id', 'caller', 'key'])
    .execute();
  await db.schema
    .createIndex('idempotency_keys_over')
    .on('idempotency_keys')
    .columns(['account_id', 'created_at'])
    .execute();
}
