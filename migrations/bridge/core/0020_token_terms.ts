import type { Kysely } from 'kysely';

// Why: a token can be given an end, and its owner sees which ones nobody uses any more.

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('tokens').addColumn('expires_at', 'text').execute();
  await db.schema.alterTable('tokens').addColumn('last_used_on', 'text').execute();
}
