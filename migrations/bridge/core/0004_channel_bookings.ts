import type { Kysely } from 'kysely';
import { createSequences } from '../../../src/store/leases/sequences.ts';

// Why: what channels tell of their bookings: by which id they know them, what they have said already, until when an
// answer or a payment is waited for, and the pictures that guests hand in.

type Db = Kysely<unknown>;

export const sequences = ['images'];

export async function up(db: Db): Promise<void> {
  await createSequences(db, sequences);
  await db.schema
    .createTable('channel_bookings')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('channel_type', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('reservation_code', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('channel_bookings_key', ['account_id', 'channel_type', 'channel_id'])
    .addUniqueConstraint('channel_bookings_code', ['account_id', 'reservation_code'])
    .execute();
  await db.schema
    .createIndex('channel_bookings_by_id')
    .on('channel_bookings')
    .columns(['account_id', 'channel_id', 'reservation_code'])
    .execute();
  await db.schema
    .createTable('channel_facts')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('reservation_code', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('reference', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('channel_facts_key', ['account_id', 'reservation_code', 'kind', 'reference'])
    .execute();
  await db.schema
    .createTable('reservation_timers')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('reservation_code', 'text', (column) => column.notNull())
    .addColumn('due_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('reservation_timers_key', ['account_id', 'reservation_code'])
    .execute();
  // Over all accounts, since one worker serves them all.
  await db.schema.createIndex('reservation_timers_due').on('reservation_timers').column('due_at').execute();
  await db.schema
    .createTable('guest_images')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('stay_id', 'bigint', (column) => column.notNull())
    .addColumn('guest_id', 'bigint', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('guest_images_key', ['account_id', 'stay_id', 'guest_id', 'id'])
    .execute();
  await db.schema
    .createTable('checkin_guide_images')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('stay_id', 'bigint', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('client_id', 'bigint')
    .addColumn('url', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('checkin_guide_images_key', ['account_id', 'stay_id', 'id'])
    .execute();
}
