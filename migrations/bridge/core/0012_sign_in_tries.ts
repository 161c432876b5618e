import type { Kysely } from 'kysely';

// Why: who guesses passwords must not be let guess anew by a restart, nor by asking another process.

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sign_in_tries')
    .addColumn('subject', 'text', (column) => column.primaryKey())
    .addColumn('window_start', 'bigint', (column) => column.notNull())
    .addColumn('tries', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('sign_in_tries_over').on('sign_in_tries').column('window_start').execute();
}
