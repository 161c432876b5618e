import { type Kysely, sql } from 'kysely';

// Why: guests cancel by themselves on the page of their booking, unless the account wants to be asked.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment_settings add column guests_cancel integer not null default 1`.execute(db);
}
