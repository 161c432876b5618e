import type { Kysely } from 'kysely';
import { createTable } from '../tables.ts';

// Why: each reservation has a page for its guests behind a secret link, which is shown again to whoever sends it, so the
// token is kept sealed beside its digest. What a property tells its guests stands once for all of them. What guests
// register is kept apart from everything that is read, mirrored or exported: sealed, and deleted on its day.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, {
    name: 'guest_pages',
    columns: {
      account_id: 'text!',
      reservation_code: 'text!',
      token: 'text!',
      token_hash: 'text! unique',
      created_at: 'text!',
    },
    key: ['account_id', 'reservation_code'],
  });
  await createTable(db, {
    name: 'guest_guides',
    columns: {
      account_id: 'text!',
      property_id: 'bigint!',
      guide: 'text!',
      country: 'text',
      phone: 'text',
      updated_at: 'text!',
    },
    key: ['account_id', 'property_id'],
  });
  await createTable(db, {
    name: 'guest_registrations',
    columns: {
      account_id: 'text!',
      id: 'text!',
      reservation_code: 'text!',
      stay_id: 'bigint!',
      country: 'text!',
      sealed: 'text!',
      registered_at: 'text!',
    },
    key: ['account_id', 'id'],
    indexes: [
      { name: 'guest_registrations_of_stay', columns: ['account_id', 'stay_id'] },
      { name: 'guest_registrations_by_country', columns: ['country', 'account_id', 'id'] },
    ],
  });
}
