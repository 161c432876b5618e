import type { Kysely } from 'kysely';

// Why: how sandbox marketplaces have taken the answers to their requests to book.

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await db.schema
    .createTable('sandbox_requests')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('channel_type', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('answer', 'text')
    .addColumn('answered_at', 'text')
    .addColumn('next_outcome', 'text')
    .addPrimaryKeyConstraint('sandbox_requests_key', ['account_id', 'channel_type', 'channel_id'])
    .execute();
}
