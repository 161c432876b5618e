import { type Kysely, sql } from 'kysely';

// Why: one channel fetches our calendar every quarter of an hour, another one twice a day. Silence is a trouble when it is
// long for the one that is silent.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table feeds add column usual_fetch_ms bigint`.execute(db);
}
