import { type Kysely, sql, type Transaction } from 'kysely';
import { dateOfDay, dayNumber, isPlainDate } from '../../src/kernel/dates.ts';
import { insertMany } from '../../src/store/queries/insertMany.ts';
import { kindOf } from '../../src/store/kind.ts';
import { views } from './0010_reports/index.ts';
import { createTable } from './tables.ts';

// Why: reports: nights and stays as short rows that say what they are worth, a calendar, and the views on them.

type Db = Kysely<unknown>;

const FIRST_DATE = '2000-01-01';
const LAST_DATE = '2049-12-31';

export async function up(db: Db): Promise<void> {
  await dates(db);
  await nights(db);
  await stays(db);
  await indexes(db);
  for (const [name, text] of views) await sql.raw(`create view ${name} as ${text}`).execute(db);
}

async function dates(db: Db): Promise<void> {
  const table = db.schema
    .createTable('dates')
    .addColumn('date', 'text', (column) => column.notNull())
    .addColumn('day_number', 'bigint', (column) => column.notNull())
    .addColumn('day_before', 'text', (column) => column.notNull())
    .addColumn('year_before', 'text', (column) => column.notNull())
    .addColumn('month', 'text', (column) => column.notNull())
    .addColumn('month_days', 'bigint', (column) => column.notNull())
    .addColumn('weekday', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('dates_key', ['date']);
  await (kindOf(db) === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table).execute();
  await db.schema.createIndex('dates_by_number').unique().on('dates').column('day_number').execute();
  const rows: DateRow[] = [];
  for (let day = dayNumber(FIRST_DATE); day <= dayNumber(LAST_DATE); day += 1) rows.push(rowOf(day));
  await insertMany(db as unknown as Transaction<{ dates: DateRow }>, 'dates', rows);
}

type DateRow = ReturnType<typeof rowOf>;

/** 1970-01-01 was a Thursday; weeks begin on Monday, the first day. */
const THURSDAY = 4;

function rowOf(day: number) {
  const date = dateOfDay(day);
  const year = Number(date.slice(0, 4));
  const sameDay = `${year - 1}${date.slice(4)}`;
  const nextMonth = date.slice(5, 7) === '12' ? `${year + 1}-01-01` : `${nextMonthOf(date)}-01`;
  return {
    date,
    day_number: day,
    day_before: dateOfDay(day - 1),
    // What 29 February is in a year without one.
    year_before: isPlainDate(sameDay) ? sameDay : `${year - 1}-02-28`,
    month: date.slice(0, 7),
    month_days: dayNumber(nextMonth) - dayNumber(`${date.slice(0, 7)}-01`),
    weekday: ((((day + THURSDAY - 1) % 7) + 7) % 7) + 1,
  };
}

function nextMonthOf(date: string): string {
  return `${date.slice(0, 5)}${String(Number(date.slice(5, 7)) + 1).padStart(2, '0')}`;
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
