import { type Kysely, sql } from 'kysely';

// Why: people say why they block nights, and whoever looks at the calendar later wants to know. Null: no reason was given.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table blocks add column reason text`.execute(db);
}
