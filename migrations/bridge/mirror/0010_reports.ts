import { type Kysely, sql } from 'kysely';
import { createDates } from '../../mirror/0001_baseline/dates.ts';
import { views } from './0010_reports/index.ts';
import { createTable } from '../../mirror/tables.ts';

// Why: reports: nights and stays as short rows that say what they are worth, a calendar, and the views on them.

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await createDates(db);
  await nights(db);
  await stays(db);
  await indexes(db);
  for (const [name, text] of views) await sql.raw(`create view ${name} as ${text}`).execute(db);
}

/** Each night says by itself what reports ask of it, so that they need not look for its stay. */
async function nights(db: Db): Promise<void> {
  const columns = {
    night_number: 'bigint',
    nights: 'bigint',
    kind: 'text',
    booked_date: 'text',
    cancelled_date: 'text',
    rental_minor: 'bigint',
    tax_minor: 'bigint',
  } as const;
  for (const [name, type] of Object.entries(columns)) {
    await db.schema.alterTable('stay_nights').addColumn(name, type).execute();
  }
}

async function stays(db: Db): Promise<void> {
  await createTable(db, {
    name: 'stay_figures',
    columns: {
      stay_code: 'text!',
      reservation_code: 'text!',
      property_id: 'bigint!',
      channel_type: 'text!',
      channel: 'text!',
      status: 'text!',
      kind: 'text!',
      check_in_date: 'text!',
      check_out_date: 'text!',
      nights: 'bigint!',
      number_of_guests: 'bigint!',
      booked_date: 'text',
      cancelled_date: 'text',
      lead_days: 'bigint',
      currency: 'text',
      rate_minor: 'bigint',
      rental_minor: 'bigint',
      tax_minor: 'bigint',
      commission_minor: 'bigint',
      payment_currency: 'text',
      payment_total_minor: 'bigint',
      received_minor: 'bigint',
      balance_minor: 'bigint',
    },
    key: ['stay_code'],
    narrow: true,
  });
  await createTable(db, {
    name: 'stay_items',
    columns: { stay_code: 'text!', item: 'text!', amount_minor: 'bigint!' },
    key: ['stay_code', 'item'],
    narrow: true,
  });
  await createTable(db, {
    name: 'property_listings',
    columns: { property_id: 'bigint!', listing: 'text!', currency: 'text' },
    key: ['property_id', 'listing'],
    narrow: true,
  });
  // Rows that are there already get theirs by the walk that follows a start: to it they are now written differently.
  for (const table of ['stays', 'properties']) {
    await sql`update ${sql.table(table)} set raw = raw || ' ' where deleted_at is null`.execute(db);
  }
}

async function indexes(db: Db): Promise<void> {
  await db.schema
    .createIndex('availability_days_closed')
    .on('availability_days')
    .columns(['connection', 'property_id', 'date'])
    .where(sql.ref('available'), '=', sql.lit(0))
    .execute();
}
