import type { Kysely } from 'kysely';
import { createSequences } from '../../../src/store/leases/sequences.ts';

// Why: threads with guests, what is said and offered in them, reviews, and what of it must still reach a channel.

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await createSequences(db, ['conversations', 'inquiries', 'messages', 'special_offers', 'reviews', 'channel_posts']);
  await threads(db);
  await offers(db);
  await reviews(db);
  await posts(db);
}

async function threads(db: Db): Promise<void> {
  await db.schema
    .createTable('conversations')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull().unique())
    .addColumn('channel_type', 'text', (column) => column.notNull())
    .addColumn('channel_thread_id', 'text', (column) => column.notNull())
    .addColumn('guest_name', 'text')
    .addColumn('guest_email', 'text')
    .addColumn('guest_phone', 'text')
    .addColumn('last_message_at', 'text')
    .addColumn('last_message', 'text', (column) => column.notNull())
    .addColumn('unread_count', 'bigint', (column) => column.notNull())
    .addColumn('note', 'text')
    .addColumn('note_updated_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('conversations_key', ['account_id', 'conversation_id'])
    .addUniqueConstraint('conversations_thread', ['account_id', 'channel_type', 'channel_thread_id'])
    .execute();
  await db.schema
    .createIndex('conversations_by_message')
    .on('conversations')
    .columns(['account_id', 'last_message_at', 'id', 'conversation_id'])
    .execute();
  await db.schema
    .createIndex('reservations_of_conversation')
    .on('reservations')
    .columns(['account_id', 'conversation_id', 'reservation_code'])
    .execute();
  await db.schema
    .createTable('inquiries')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('property_id', 'bigint', (column) => column.notNull())
    .addColumn('listing_id', 'text', (column) => column.notNull())
    .addColumn('check_in_date', 'text', (column) => column.notNull())
    .addColumn('check_out_date', 'text', (column) => column.notNull())
    .addColumn('number_of_guests', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('inquiries_key', ['account_id', 'conversation_id', 'id'])
    .execute();
  await db.schema
    .createTable('messages')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('message_id', 'text', (column) => column.notNull())
    .addColumn('channel_message_id', 'text')
    .addColumn('posted', 'bigint', (column) => column.notNull())
    .addColumn('sender_role', 'text', (column) => column.notNull())
    .addColumn('sender_name', 'text')
    .addColumn('display_type', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('attachments', 'text', (column) => column.notNull())
    .addColumn('sources', 'text', (column) => column.notNull())
    .addColumn('sent_at', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('messages_key', ['account_id', 'conversation_id', 'id'])
    .addUniqueConstraint('messages_id', ['account_id', 'message_id'])
    .addUniqueConstraint('messages_of_channel', ['account_id', 'conversation_id', 'channel_message_id'])
    .execute();
  await db.schema
    .createIndex('messages_by_time')
    .on('messages')
    .columns(['account_id', 'conversation_id', 'sent_at', 'id', 'posted'])
    .execute();
  await db.schema
    .createTable('attachments')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('token', 'text', (column) => column.notNull().unique())
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('content_type', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('base64', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('attachments_key', ['account_id', 'token'])
    .execute();
}

async function offers(db: Db): Promise<void> {
  await db.schema
    .createTable('special_offers')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('special_offer_id', 'text', (column) => column.notNull().unique())
    .addColumn('offer_type', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('listing_id', 'text', (column) => column.notNull())
    .addColumn('rate_plan_id', 'text')
    .addColumn('check_in_date', 'text', (column) => column.notNull())
    .addColumn('check_out_date', 'text', (column) => column.notNull())
    .addColumn('number_of_adults', 'bigint', (column) => column.notNull())
    .addColumn('number_of_children', 'bigint', (column) => column.notNull())
    .addColumn('number_of_infants', 'bigint', (column) => column.notNull())
    .addColumn('number_of_pets', 'bigint', (column) => column.notNull())
    .addColumn('price', 'bigint')
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('ended_at', 'text')
    .addPrimaryKeyConstraint('special_offers_key', ['account_id', 'conversation_id', 'id'])
    .execute();
}

async function reviews(db: Db): Promise<void> {
  await db.schema
    .createTable('reviews')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('reservation_code', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('stay_id', 'bigint', (column) => column.notNull())
    .addColumn('host_review', 'text')
    .addColumn('guest_review', 'text')
    .addColumn('host_reply', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('reviews_key', ['account_id', 'reservation_code'])
    .addUniqueConstraint('reviews_of_stay', ['account_id', 'stay_id'])
    .execute();
}

async function posts(db: Db): Promise<void> {
  await db.schema
    .createTable('channel_posts')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull().unique())
    .addColumn('channel_type', 'text', (column) => column.notNull())
    .addColumn('lane', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('problem', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('finished_at', 'text')
    .addPrimaryKeyConstraint('channel_posts_key', ['account_id', 'id'])
    .execute();
  await db.schema.createIndex('channel_posts_open').on('channel_posts').columns(['state', 'id']).execute();
  await db.schema
    .createIndex('channel_posts_of_lane')
    .on('channel_posts')
    .columns(['account_id', 'lane', 'state', 'id'])
    .execute();
}
