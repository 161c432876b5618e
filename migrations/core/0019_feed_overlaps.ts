import { type Kysely, sql } from 'kysely';

// Why: a night can be sold twice in either order. A stay that comes onto nights which a feed has closed before must be
// told like a closure that comes onto the nights of a stay; so a feed remembers which stays it was held against.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table feed_entries add column overlapping_stays text`.execute(db);
}
