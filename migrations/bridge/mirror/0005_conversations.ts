import type { Kysely } from 'kysely';
import { createTable, rawColumn, rowColumns } from '../../mirror/tables.ts';

// Why: threads, messages, offers and reviews; their personal values apart; and which messages wait for an answer.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, {
    name: 'conversations',
    columns: {
      conversation_id: 'text!',
      channel_type: 'text!',
      activities: 'bigint!',
      reservation_codes: 'text!',
      property_ids: 'text!',
      check_in_date: 'text',
      check_out_date: 'text',
      note: 'text',
      note_updated_at: 'text',
      ...rowColumns,
      ...rawColumn,
    },
    key: ['conversation_id'],
  });
  await createTable(db, {
    name: 'messages',
    columns: {
      message: 'text!',
      conversation_id: 'text!',
      message_id: 'text!',
      sender_role: 'text!',
      display_type: 'text!',
      attachments: 'bigint!',
      sources: 'text!',
      sent_at: 'text',
      ...rowColumns,
      ...rawColumn,
    },
    key: ['message'],
  });
  await createTable(db, {
    name: 'special_offers',
    columns: {
      offer: 'text!',
      conversation_id: 'text!',
      id: 'text!',
      offer_type: 'text!',
      status: 'text!',
      listing_id: 'text!',
      check_in_date: 'text!',
      check_out_date: 'text!',
      nights: 'bigint!',
      number_of_guests: 'bigint!',
      price_minor: 'bigint',
      currency: 'text!',
      expires_at: 'text',
      created_at: 'text',
      ...rowColumns,
      ...rawColumn,
    },
    key: ['offer'],
  });
  for (const table of ['messages', 'special_offers']) {
    await db.schema
      .createIndex(`${table}_by_conversation`)
      .on(table)
      .columns(['connection', 'conversation_id', table === 'messages' ? 'message' : 'offer'])
      .execute();
  }
  await createTable(db, {
    name: 'reviews',
    columns: {
      reservation_code: 'text!',
      stay_code: 'text!',
      property_id: 'bigint!',
      channel_type: 'text!',
      listing_id: 'text!',
      check_in_date: 'text!',
      check_out_date: 'text!',
      guest_score_hundredths: 'bigint',
      guest_reviewed_at: 'text',
      host_score_hundredths: 'bigint',
      host_reviewed_at: 'text',
      host_replied_at: 'text',
      ...rowColumns,
      ...rawColumn,
    },
    key: ['reservation_code'],
  });
  await createTable(db, {
    name: 'personal_values',
    columns: { resource: 'text!', row_key: 'text!', path: 'text!', text: 'text', json: 'text' },
    key: ['resource', 'row_key', 'path'],
    narrow: true,
  });
  await db.schema
    .alterTable('changes')
    .addColumn('needs_answer', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
}
