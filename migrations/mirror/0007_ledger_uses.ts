import type { Kysely } from 'kysely';
import { createIndex } from '../tables.ts';

// Why: Money asks, on every look after a change, which items, methods and deposits of the ledger have no place in the
// books; without these indexes it walks through every entry and every stay.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, 'transactions', {
    name: 'transactions_by_use',
    columns: ['connection', 'direction', 'item_id', 'payment_method_id', 'id'],
    where: 'deleted_at is null',
  });
  await createIndex(db, 'stays', {
    name: 'stays_with_paid_deposit',
    columns: ['connection', 'channel_type', 'custom_channel', 'property_id'],
    where: 'deposit_paid_minor > 0 and deleted_at is null',
  });
}
