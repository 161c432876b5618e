import type { Kysely } from 'kysely';

// Why: what a restored backup has planned for before the restore may have gone out already, so it is not done by itself.

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('accounts').addColumn('restored_at', 'text').execute();
  await db.schema.alterTable('automation_plans').addColumn('doubt', 'text').execute();
}
