import type { Kysely } from 'kysely';

// Why: a restored backup knows nothing of what was sent after it was made, so a person looks before plans act again.

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('accounts').addColumn('automations_held', 'text').execute();
}
