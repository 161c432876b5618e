import { type Kysely, sql } from 'kysely';

// Why: houses let their guests in at different times, which cleaners and guests are told.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table properties add column check_in_time text`.execute(db);
  await sql`alter table properties add column check_out_time text`.execute(db);
}
