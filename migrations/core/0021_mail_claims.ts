import { type Kysely, sql } from 'kysely';
import { createIndex } from '../tables.ts';

// Why: a mailbox is read by one reader at a time, whether its turn has come or a person asks, in whichever process; and the
// log of mails is cut off at its old end, where mails that still lie in the mailbox are remembered by their numbers.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mailboxes add column reading_until bigint`.execute(db);
  await sql`alter table mailboxes add column log_pruned_at bigint`.execute(db);
  await createIndex(db, 'mail_log', { name: 'mail_log_by_age', columns: ['direction', 'noted_at'] });
}
