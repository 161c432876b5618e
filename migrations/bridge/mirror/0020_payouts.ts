import type { Kysely } from 'kysely';
import { createTable } from '../../mirror/tables.ts';

// Why: which payouts of banks and channels account for which postings of clearing accounts.

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await createTable(db, {
    name: 'payouts',
    columns: {
      payout_id: 'text!',
      group_code: 'text!',
      date: 'text!',
      bank: 'text!',
      account: 'text!',
      amount_minor: 'bigint!',
      currency: 'text!',
      matched_by: 'text!',
      matched_at: 'text!',
    },
    key: ['payout_id'],
  });
  await db.schema.createIndex('payouts_by_group_code').on('payouts').columns(['connection', 'group_code']).execute();
  // The key is what keeps a posting from being paid out twice.
  await createTable(db, {
    name: 'payout_postings',
    columns: {
      entry_id: 'text!',
      posting: 'bigint!',
      payout_id: 'text!',
      reservation_code: 'text',
      amount_minor: 'bigint!',
    },
    key: ['entry_id', 'posting'],
  });
  await db.schema
    .createIndex('payout_postings_by_payout')
    .on('payout_postings')
    .columns(['connection', 'payout_id'])
    .execute();
}
