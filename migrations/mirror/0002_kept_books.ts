import { type Kysely, sql } from 'kysely';
import { createIndex } from '../tables.ts';
import { createTable } from './tables.ts';

// Why: an export reads the kept books instead of booking everything again. For this they have what a report of an export
// counts (outcomes, balances of months), and say which of them a later day changes without any new fact.

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('books').addColumn('changed_at', 'text').execute();
  await db.schema.alterTable('book_groups').addColumn('due_on', 'text').execute();
  await createIndex(db, 'book_groups', {
    name: 'book_groups_due',
    columns: ['connection', 'due_on'],
    where: 'due_on is not null',
  });
  await createIndex(db, 'book_entries', { name: 'book_entries_by_date', columns: ['connection', 'date', 'entry_id'] });
  // Why: an entry of the ledger that was issued with one booking and then moved to another goes on with its versions there.
  await createIndex(db, 'export_entries', { name: 'export_entries_by_base', columns: ['connection', 'base'] });
  await createTable(db, {
    name: 'book_outcomes',
    columns: {
      group_key: 'text!',
      number: 'bigint!',
      source: 'text!',
      state: 'text!',
      reason: 'text!',
      date: 'text',
    },
    key: ['group_key', 'number'],
    narrow: true,
  });
  await createTable(db, {
    name: 'book_balances',
    columns: {
      period: 'text!',
      account: 'text!',
      currency: 'text!',
      amount_minor: 'bigint!',
      postings: 'bigint!',
    },
    key: ['period', 'account', 'currency'],
    narrow: true,
  });
  await sql`insert into book_balances
    select connection, substr(date, 1, 7), account, currency, sum(amount_minor), count(*) from book_postings
    group by connection, substr(date, 1, 7), account, currency`.execute(db);
}
