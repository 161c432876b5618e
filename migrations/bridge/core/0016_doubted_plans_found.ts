import { type Kysely, sql } from 'kysely';

// Why: how many plans are in doubt is asked whenever somebody looks at the accounts; of all plans hardly one ever is.

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('automation_plans_doubted')
    .on('automation_plans')
    .columns(['account_id', 'state'])
    .where(sql.ref('doubt'), 'is not', null)
    .execute();
}
