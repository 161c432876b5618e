import { type Kysely, sql } from 'kysely';
import { createSequences } from '../../../src/store/leases/sequences.ts';

// Why: accounts, properties, bookings, ledger, webhooks and the outbox, all that the first operations need.
// ids come from sequences, so that the account can stand first in every key on both databases.

type Db = Kysely<unknown>;

export const sequences = [
  'operators',
  'tokens',
  'properties',
  'dictionary',
  'stays',
  'guests',
  'transactions',
  'webhooks',
];

export async function up(db: Db): Promise<void> {
  await createSequences(db, sequences);
  await people(db);
  await places(db);
  await bookings(db);
  await ledger(db);
  await notices(db);
  await imports(db);
}

async function people(db: Db): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('account_id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('time_zone', 'text', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('subscription', 'text', (column) => column.notNull())
    .addColumn('edition', 'text', (column) => column.notNull())
    .addColumn('property_quota', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('operators')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('operators_key', ['account_id', 'id'])
    .execute();
  await db.schema
    .createTable('operator_properties')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('operator_id', 'bigint', (column) => column.notNull())
    .addColumn('property_id', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('operator_properties_key', ['account_id', 'operator_id', 'property_id'])
    .execute();
  await db.schema
    .createTable('tokens')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('operator_id', 'bigint', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('hint', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('revoked_at', 'text')
    .addPrimaryKeyConstraint('tokens_key', ['account_id', 'id'])
    .execute();
  await db.schema
    .createTable('audit')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('operator_id', 'bigint')
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('audit_key', ['account_id', 'id'])
    .execute();
  await db.schema
    .createTable('request_counters')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('bucket', 'text', (column) => column.notNull())
    .addColumn('window_seconds', 'bigint', (column) => column.notNull())
    .addColumn('window_start', 'bigint', (column) => column.notNull())
    .addColumn('count', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('request_counters_key', ['account_id', 'bucket', 'window_seconds'])
    .execute();
}

async function places(db: Db): Promise<void> {
  await db.schema
    .createTable('properties')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('longitude', 'text', (column) => column.notNull())
    .addColumn('latitude', 'text', (column) => column.notNull())
    .addColumn('time_zone', 'text', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('properties_key', ['account_id', 'id'])
    .addUniqueConstraint('properties_name', ['account_id', 'name'])
    .execute();
  await db.schema
    .createTable('custom_channels')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('custom_channels_key', ['account_id', 'id'])
    .addUniqueConstraint('custom_channels_name', ['account_id', 'name'])
    .execute();
  await db.schema
    .createTable('dictionary_items')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('dictionary', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('refund', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('dictionary_items_key', ['account_id', 'dictionary', 'id'])
    .execute();
}

async function bookings(db: Db): Promise<void> {
  await db.schema
    .createTable('reservations')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('reservation_code', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('total_rate', 'bigint', (column) => column.notNull())
    .addColumn('total_commission', 'bigint', (column) => column.notNull())
    .addColumn('tax', 'bigint')
    .addColumn('custom_channel_id', 'bigint')
    .addColumn('conversation_id', 'text')
    .addColumn('income_transaction_id', 'bigint')
    .addPrimaryKeyConstraint('reservations_key', ['account_id', 'reservation_code'])
    .addUniqueConstraint('reservations_channel_id', ['account_id', 'channel_id'])
    .execute();
  await db.schema
    .createTable('stays')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('stay_code', 'text', (column) => column.notNull())
    .addColumn('reservation_code', 'text', (column) => column.notNull())
    .addColumn('property_id', 'bigint', (column) => column.notNull())
    .addColumn('channel_type', 'text', (column) => column.notNull())
    .addColumn('listing_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('stay_status', 'text', (column) => column.notNull())
    .addColumn('check_in_date', 'text', (column) => column.notNull())
    .addColumn('check_out_date', 'text', (column) => column.notNull())
    .addColumn('number_of_guests', 'bigint', (column) => column.notNull())
    .addColumn('number_of_adults', 'bigint')
    .addColumn('number_of_children', 'bigint')
    .addColumn('number_of_infants', 'bigint')
    .addColumn('number_of_pets', 'bigint')
    .addColumn('rate', 'bigint')
    .addColumn('commission', 'bigint')
    .addColumn('rate_details', 'text', (column) => column.notNull())
    .addColumn('additional_fees', 'text', (column) => column.notNull())
    .addColumn('booked_at', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('cancelled_at', 'text')
    .addColumn('creator', 'text')
    .addColumn('note', 'text')
    .addColumn('channel_remarks', 'text')
    .addColumn('arrival_at', 'text')
    .addColumn('departure_at', 'text')
    .addColumn('lock_code', 'text')
    .addColumn('lock_code_visible_after', 'text')
    .addColumn('deposit', 'bigint', (column) => column.notNull())
    .addColumn('id_required', 'text', (column) => column.notNull())
    .addColumn('custom_fields', 'text')
    .addColumn('channel_details', 'text')
    .addPrimaryKeyConstraint('stays_key', ['account_id', 'id'])
    .addUniqueConstraint('stays_code', ['account_id', 'stay_code'])
    .addForeignKeyConstraint('stays_reservation', ['account_id', 'reservation_code'], 'reservations', [
      'account_id',
      'reservation_code',
    ])
    .execute();
  const orders = ['booked_at', 'check_in_date', 'check_out_date', 'cancelled_at', 'created_at'];
  for (const order of orders) {
    await db.schema
      .createIndex(`stays_by_${order}`)
      .on('stays')
      .columns(['account_id', order, 'id', 'status', 'property_id'])
      .execute();
  }
  // With the id behind the code, so that "of this code, in order" is not answered by walking all stays in order.
  await db.schema
    .createIndex('stays_of_reservation')
    .on('stays')
    .columns(['account_id', 'reservation_code', 'id'])
    .execute();
  await db.schema
    .createIndex('stays_of_property')
    .on('stays')
    .columns(['account_id', 'property_id', 'check_out_date'])
    .execute();
  await db.schema
    .createTable('nights')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('property_id', 'bigint', (column) => column.notNull())
    .addColumn('night', 'text', (column) => column.notNull())
    .addColumn('stay_id', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('nights_key', ['account_id', 'property_id', 'night'])
    .execute();
  await db.schema
    .createTable('guests')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('stay_id', 'bigint', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('is_booker', 'bigint', (column) => column.notNull())
    .addColumn('name', 'text')
    .addColumn('phone', 'text')
    .addColumn('email', 'text')
    .addColumn('id_type', 'text')
    .addColumn('id_number', 'text')
    .addColumn('gender', 'text')
    .addColumn('country', 'text')
    .addPrimaryKeyConstraint('guests_key', ['account_id', 'stay_id', 'id'])
    .execute();
  await db.schema
    .createTable('deposits')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('stay_id', 'bigint', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('paid_amount', 'bigint', (column) => column.notNull())
    .addColumn('deducted_amount', 'bigint', (column) => column.notNull())
    .addColumn('pending_refund_amount', 'bigint', (column) => column.notNull())
    .addColumn('refunded_amount', 'bigint', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('deposits_key', ['account_id', 'stay_id'])
    .execute();
}

async function ledger(db: Db): Promise<void> {
  await db.schema
    .createTable('transactions')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull().unique())
    .addColumn('direction', 'text', (column) => column.notNull())
    .addColumn('item_id', 'bigint', (column) => column.notNull())
    .addColumn('payment_method_id', 'bigint', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('action_at', 'text', (column) => column.notNull())
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('reservation_code', 'text')
    .addColumn('property_id', 'bigint')
    .addColumn('operator_id', 'bigint')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('transactions_key', ['account_id', 'id'])
    .addCheckConstraint('transactions_one_link', sql`reservation_code is null or property_id is null`)
    .addCheckConstraint('transactions_positive', sql`amount > 0`)
    .execute();
  await db.schema
    .createIndex('transactions_by_action')
    .on('transactions')
    .columns(['account_id', 'action_at', 'id'])
    .execute();
  await db.schema
    .createIndex('transactions_of_reservation')
    .on('transactions')
    .columns(['account_id', 'reservation_code', 'direction', 'item_id', 'amount'])
    .execute();
  await db.schema
    .createTable('allocations')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('transaction_id', 'bigint', (column) => column.notNull())
    .addColumn('stay_code', 'text', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('allocations_key', ['account_id', 'transaction_id', 'stay_code'])
    .execute();
}

async function notices(db: Db): Promise<void> {
  await db.schema
    .createTable('webhooks')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull().unique())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('events', 'text')
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('previous_secret', 'text')
    .addColumn('previous_until', 'text')
    .addColumn('manageable', 'bigint', (column) => column.notNull())
    .addColumn('signature_only', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('deleted_at', 'text')
    .addPrimaryKeyConstraint('webhooks_key', ['account_id', 'id'])
    .execute();
  await db.schema
    .createTable('outbox')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('queued_at', 'text', (column) => column.notNull())
    .addColumn('fanned_out', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('outbox_key', ['account_id', 'event_id'])
    .execute();
  await db.schema
    .createIndex('outbox_waiting')
    .on('outbox')
    .column('event_id')
    .where(sql.ref('fanned_out'), '=', sql.lit(0))
    .execute();
  await db.schema
    .createTable('deliveries')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('webhook_id', 'bigint', (column) => column.notNull())
    .addColumn('outcome', 'text')
    .addColumn('http_status', 'bigint')
    .addColumn('leased_until', 'bigint', (column) => column.notNull())
    .addColumn('finished_at', 'text')
    .addPrimaryKeyConstraint('deliveries_key', ['account_id', 'event_id', 'webhook_id'])
    .execute();
  await db.schema
    .createIndex('deliveries_waiting')
    .on('deliveries')
    .columns(['webhook_id', 'event_id'])
    .where(sql.ref('outcome'), 'is', null)
    .execute();
}

async function imports(db: Db): Promise<void> {
  await db.schema
    .createTable('import_rows')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('row_key', 'text', (column) => column.notNull())
    .addColumn('row_hash', 'text', (column) => column.notNull())
    .addColumn('reservation_code', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('import_rows_key', ['account_id', 'source', 'row_key'])
    .execute();
}
