import type { Kysely } from 'kysely';
import { createTable, rawColumn, rowColumns } from '../../mirror/tables.ts';

// Why: channel accounts, listings, and what their calendars show.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, {
    name: 'channel_accounts',
    columns: {
      id: 'bigint!',
      channel_type: 'text!',
      username: 'text!',
      origin_account_id: 'text!',
      auth_status: 'text!',
      created_at: 'text',
      ...rowColumns,
      ...rawColumn,
    },
    key: ['id'],
  });
  await createTable(db, {
    name: 'listings',
    columns: {
      listing: 'text!',
      channel_type: 'text!',
      listing_id: 'text!',
      id: 'bigint!',
      channel_account_id: 'bigint!',
      origin_account_id: 'text!',
      title: 'text!',
      url: 'text!',
      cover: 'text!',
      inventory: 'bigint!',
      shelf_status: 'text!',
      created_at: 'text',
      updated_at: 'text',
      ...rowColumns,
      ...rawColumn,
    },
    key: ['listing'],
  });
  await createTable(db, {
    name: 'calendar_reads',
    columns: { listing: 'text!', read_number: 'bigint!', first_seen_at: 'text!', changed_at: 'text!' },
    key: ['listing'],
    narrow: true,
  });
  await createTable(db, {
    name: 'calendar_days',
    columns: {
      listing: 'text!',
      date: 'text!',
      channel_type: 'text!',
      listing_id: 'text!',
      price: 'text',
      inventory: 'bigint!',
      closed_on_arrival: 'bigint!',
      closed_on_departure: 'bigint!',
      min_stay_on_arrival: 'bigint',
      max_stay_on_arrival: 'bigint',
      min_stay_through: 'bigint',
      max_stay_through: 'bigint',
      exact_stay_on_arrival: 'bigint',
      min_advance_reservation: 'text',
      max_advance_reservation: 'text',
    },
    key: ['listing', 'date'],
    narrow: true,
  });
}
