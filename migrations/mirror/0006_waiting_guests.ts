import type { Kysely } from 'kysely';
import { createIndex } from '../tables.ts';

// Why: the console counts deposits to give back and documents that are missing on every view of Today, and lists what is
// still to be paid. Few stays have one, so each has an index of its own.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, 'stays', {
    name: 'stays_with_held_deposit',
    columns: ['connection', 'check_out_date', 'property_id'],
    where: 'deposit_pending_refund_minor > 0',
  });
  await createIndex(db, 'stays', {
    name: 'stays_with_identity',
    columns: ['connection', 'check_out_date', 'check_in_date'],
    where: "id_required <> 'not_required'",
  });
  await createIndex(db, 'reservations', {
    name: 'reservations_owed',
    columns: ['connection', 'check_in_date', 'reservation_code'],
    where: "balance_minor > 0 and status = 'accepted' and deleted_at is null",
  });
}
