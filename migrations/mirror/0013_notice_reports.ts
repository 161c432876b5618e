import { type Kysely, sql } from 'kysely';

// Why: owners are sent their statement by mail each month, as a file.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table notices add column report text`.execute(db);
}
