import type { Kysely } from 'kysely';

// Why: a ledger is listed by falling id; most of a large one is listed along its ids, without a look at the rows.

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('transactions_by_id')
    .on('transactions')
    .columns(['account_id', 'id', 'action_at'])
    .execute();
}
