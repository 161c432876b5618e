import { type Kysely, sql } from 'kysely';
import { createTable } from '../../mirror/tables.ts';

// Why: which events never came, each with its proof; and when reads were sent, since what they saw was so then.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, {
    name: 'lost_events',
    columns: {
      seq: 'bigint!',
      event: 'text!',
      sub_event: 'text!',
      position: 'bigint!',
      resource: 'text!',
      key: 'text!',
      part: 'text',
      days: 'text',
      since: 'text!',
      seen_at: 'text!',
      seen_by: 'text!',
      walk_id: 'text',
      state: 'text!',
      event_id: 'text',
      came_at: 'text',
      late_ms: 'bigint',
    },
    key: ['seq', 'event', 'sub_event', 'position'],
    narrow: true,
  });
  // Whoever closes an event asks whether it was missed: nearly always there is nothing here.
  await db.schema
    .createIndex('lost_events_open')
    .on('lost_events')
    .columns(['connection', 'resource', 'key'])
    .where(sql.ref('state'), '!=', sql.lit('late'))
    .execute();
  await db.schema
    .createIndex('lost_events_waiting')
    .on('lost_events')
    .columns(['connection', 'seen_at'])
    .where(sql.ref('state'), '=', sql.lit('waiting'))
    .execute();
  await createTable(db, {
    name: 'read_times',
    columns: { number: 'bigint!', at: 'text!' },
    key: ['number'],
    narrow: true,
  });
  // Events whose read found nothing new: one that names a row which a walk finds later did come.
  await db.schema
    .createIndex('inbox_idle')
    .on('inbox')
    .columns(['connection', 'resource', 'key', 'event_id'])
    .where(sql.ref('state'), '=', sql.lit('done'))
    .where(sql.ref('change_seq'), 'is', null)
    .execute();
  await db.schema.createIndex('read_times_by_time').on('read_times').columns(['connection', 'at']).execute();
}
