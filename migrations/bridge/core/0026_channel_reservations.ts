import { type Kysely, sql } from 'kysely';
import { kindOf } from '../../../src/store/kind.ts';

// Why: the API says reservation, and so does everything else.

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('channel_bookings').renameTo('channel_reservations').execute();
  await db.schema.dropIndex('channel_bookings_by_id').execute();
  await db.schema
    .createIndex('channel_reservations_by_id')
    .on('channel_reservations')
    .columns(['account_id', 'channel_id', 'reservation_code'])
    .execute();
  if (kindOf(db) === 'sqlite') return;
  for (const name of ['key', 'code']) {
    await sql`alter table channel_reservations
      rename constraint ${sql.ref(`channel_bookings_${name}`)} to ${sql.ref(`channel_reservations_${name}`)}`.execute(
      db,
    );
  }
}
