import { type Kysely, sql } from 'kysely';
import { views } from './0023_book_reports/index.ts';

// Why: reports on the books; and a payout that was matched by mistake can be taken back.

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('payouts').addColumn('undone_at', 'text').execute();
  await db.schema.alterTable('payouts').addColumn('undone_reason', 'text').execute();
  for (const [name, text] of views) await sql.raw(`create view ${name} as ${text}`).execute(db);
}
