import type { Kysely } from 'kysely';

// Why: what a person has confirmed is carried out once, also after a restart and by whichever process is asked.

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('confirmation_uses')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('confirmation_uses_key', ['account_id', 'id'])
    .execute();
  await db.schema
    .createIndex('confirmation_uses_over')
    .on('confirmation_uses')
    .columns(['account_id', 'expires_at'])
    .execute();
}
