import { type Kysely, sql } from 'kysely';
import { createSequences } from '../../../src/store/leases/sequences.ts';

// Why: channel accounts, listings and their calendars, blocks on the master calendar, the tasks by which calendars
// change, and what the sandbox marketplaces show.

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await createSequences(db, ['channel_accounts', 'listings', 'calendar_tasks']);
  await channels(db);
  await calendars(db);
  await sandbox(db);
}

async function channels(db: Db): Promise<void> {
  await db.schema
    .createTable('channel_accounts')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('channel_type', 'text', (column) => column.notNull())
    .addColumn('username', 'text', (column) => column.notNull())
    .addColumn('origin_account_id', 'text', (column) => column.notNull())
    .addColumn('auth_status', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('channel_accounts_key', ['account_id', 'id'])
    .addUniqueConstraint('channel_accounts_origin', ['account_id', 'channel_type', 'origin_account_id'])
    .execute();
  await db.schema
    .createTable('listings')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('listing_id', 'text', (column) => column.notNull())
    .addColumn('channel_type', 'text', (column) => column.notNull())
    .addColumn('channel_account_id', 'bigint', (column) => column.notNull())
    .addColumn('property_id', 'bigint', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('cover', 'text', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('inventory', 'bigint', (column) => column.notNull())
    .addColumn('ratio', 'bigint', (column) => column.notNull())
    .addColumn('readonly', 'bigint', (column) => column.notNull())
    .addColumn('shelf_status', 'text', (column) => column.notNull())
    .addColumn('metadata', 'text', (column) => column.notNull())
    .addColumn('rules', 'text')
    .addColumn('rules_read_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('listings_key', ['account_id', 'id'])
    .addUniqueConstraint('listings_name', ['account_id', 'listing_id', 'channel_type'])
    .execute();
  await db.schema.createIndex('listings_anybodys').on('listings').columns(['listing_id', 'channel_type']).execute();
  await db.schema
    .createIndex('listings_of_property')
    .on('listings')
    .columns(['account_id', 'property_id', 'id'])
    .execute();
  await db.schema
    .createIndex('listings_of_channel_account')
    .on('listings')
    .columns(['account_id', 'channel_account_id', 'id', 'channel_type', 'property_id'])
    .execute();
  await db.schema
    .createIndex('listings_of_channel')
    .on('listings')
    .columns(['account_id', 'channel_type', 'id', 'property_id'])
    .execute();
}

async function calendars(db: Db): Promise<void> {
  await db.schema
    .createTable('blocks')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('property_id', 'bigint', (column) => column.notNull())
    .addColumn('night', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('blocks_key', ['account_id', 'property_id', 'night'])
    .execute();
  await db.schema
    .createTable('calendar_tasks')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'bigint', (column) => column.notNull())
    .addColumn('work', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('leased_until', 'bigint', (column) => column.notNull())
    .addColumn('outcome', 'text')
    .addColumn('problem', 'text')
    .addColumn('finished_at', 'text')
    .addPrimaryKeyConstraint('calendar_tasks_key', ['account_id', 'id'])
    .execute();
  await db.schema
    .createIndex('calendar_tasks_waiting')
    .on('calendar_tasks')
    .columns(['id'])
    .where(sql.ref('outcome'), 'is', null)
    .execute();
  await db.schema
    .createIndex('calendar_tasks_line')
    .on('calendar_tasks')
    .columns(['account_id', 'subject', 'subject_id', 'id'])
    .where(sql.ref('outcome'), 'is', null)
    .execute();
  await db.schema
    .createTable('calendar_notices')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('listing', 'bigint', (column) => column.notNull())
    .addColumn('start_date', 'text', (column) => column.notNull())
    .addColumn('end_date', 'text', (column) => column.notNull())
    .addColumn('queued_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('calendar_notices_key', ['account_id', 'listing', 'start_date', 'end_date'])
    .execute();
}

async function sandbox(db: Db): Promise<void> {
  await db.schema
    .createTable('sandbox_listings')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('listing', 'bigint', (column) => column.notNull())
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('inventory', 'bigint', (column) => column.notNull())
    .addColumn('commission_percent', 'bigint', (column) => column.notNull())
    .addColumn('next_outcome', 'text')
    .addPrimaryKeyConstraint('sandbox_listings_key', ['account_id', 'listing'])
    .execute();
  await db.schema
    .createTable('sandbox_days')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('listing', 'bigint', (column) => column.notNull())
    .addColumn('date', 'text', (column) => column.notNull())
    .addColumn('price', 'bigint')
    .addColumn('inventory', 'bigint')
    .addColumn('restrictions', 'text')
    .addPrimaryKeyConstraint('sandbox_days_key', ['account_id', 'listing', 'date'])
    .execute();
}
