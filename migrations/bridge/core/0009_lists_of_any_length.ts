import type { Kysely } from 'kysely';

// Why: pages far down a list come from an index alone, whichever dates are asked for: stays in each order with both
// their dates, and the ledger by falling id, as it is listed where most of it lies in the window.

const orders = ['booked_at', 'check_in_date', 'check_out_date', 'cancelled_at', 'created_at'];
const dates = ['check_in_date', 'check_out_date'];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const order of orders) {
    await db.schema.dropIndex(`stays_by_${order}`).execute();
    await db.schema
      .createIndex(`stays_by_${order}`)
      .on('stays')
      .columns(['account_id', order, 'id', 'status', 'property_id', ...dates.filter((date) => date !== order)])
      .execute();
  }
  await db.schema
    .createIndex('transactions_by_id')
    .on('transactions')
    .columns(['account_id', 'id', 'action_at'])
    .execute();
}
