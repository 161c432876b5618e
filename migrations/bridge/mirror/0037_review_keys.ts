import { type Kysely, sql } from 'kysely';
import { kindOf } from '../../../src/store/kind.ts';
import { createStates, rowTables } from '../../mirror/0001_baseline/states.ts';
import { createTable, rawColumn, rowColumns } from '../../mirror/tables.ts';

// Why: where each property of a booking is reviewed, the reviews of one reservation code lay on one row by turns.

type Db = Kysely<unknown>;

const values = {
  reservation_code: 'text!',
  stay_code: 'text',
  property_id: 'bigint',
  channel_type: 'text',
  listing_id: 'text',
  check_in_date: 'text',
  check_out_date: 'text',
  guest_score_hundredths: 'bigint',
  guest_reviewed_at: 'text',
  host_score_hundredths: 'bigint',
  host_reviewed_at: 'text',
  host_replied_at: 'text',
  ...rowColumns,
  ...rawColumn,
} as const;
const KEY = ['review'];

export async function up(db: Db): Promise<void> {
  if (kindOf(db) === 'sqlite') await copyTable(db);
  else await changeKey(db);
  await db.schema
    .createIndex('reviews_by_check_out_date')
    .on('reviews')
    .columns(['connection', 'check_out_date', 'review'])
    .execute();
  await db.schema
    .createIndex('reviews_by_reservation')
    .on('reviews')
    .columns(['connection', 'reservation_code'])
    .execute();
  if (kindOf(db) === 'sqlite') await sql`drop view states`.execute(db);
  await createStates(db, rowTables, kindOf(db) === 'sqlite' ? 'create' : 'create or replace');
}

/** SQLite cannot change a primary key. Views on the table find the new one by its name. */
async function copyTable(db: Db): Promise<void> {
  const names = sql.join(['connection', ...Object.keys(values)].map((name) => sql.ref(name)));
  await sql`create table reviews_before as select * from reviews`.execute(db);
  await sql`drop table reviews`.execute(db);
  await createTable(db, { name: 'reviews', columns: { review: 'text!', ...values }, key: KEY });
  await sql`insert into reviews (review, ${names}) select reservation_code, ${names} from reviews_before`.execute(db);
  await sql`drop table reviews_before`.execute(db);
}

async function changeKey(db: Db): Promise<void> {
  await sql`alter table reviews add column review text`.execute(db);
  await sql`update reviews set review = reservation_code`.execute(db);
  await sql`alter table reviews alter column review set not null`.execute(db);
  await sql`alter table reviews drop constraint reviews_key`.execute(db);
  await sql`alter table reviews add constraint reviews_key primary key (connection, review)`.execute(db);
  await sql`drop index reviews_by_check_out_date`.execute(db);
}
