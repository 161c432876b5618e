import { type Kysely, sql } from 'kysely';
import { createDayStates, createStates, type RowTable, rowTables } from '../../mirror/0001_baseline/states.ts';
import { createTable } from '../../mirror/tables.ts';

// Why: names for changes that nobody announces, history of days that can be asked for by time, and erased persons.

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await derivedEvents(db);
  await days(db);
  await bounds(db);
  const tables = rowTables.map(([resource, table, key, row]): RowTable => {
    return [resource, table, key, resource === 'review' ? key : row];
  });
  await createStates(db, tables, 'create');
  await createDayStates(db);
}

async function derivedEvents(db: Db): Promise<void> {
  await createTable(db, {
    name: 'derived_events',
    columns: {
      seq: 'bigint!',
      position: 'bigint!',
      at: 'text!',
      name: 'text!',
      resource: 'text!',
      key: 'text!',
      part: 'text',
      from_date: 'text',
      to_date: 'text',
      before: 'text',
      after: 'text',
    },
    key: ['seq', 'position'],
    narrow: true,
  });
  await db.schema
    .createIndex('derived_events_by_name')
    .on('derived_events')
    .columns(['connection', 'name', 'seq'])
    .execute();
  await db.schema
    .createIndex('derived_events_by_key')
    .on('derived_events')
    .columns(['connection', 'resource', 'key'])
    .execute();
  // What is kept of one key is asked for by people, and taken away with a person.
  await db.schema.createIndex('changes_by_key').on('changes').columns(['connection', 'resource', 'key']).execute();
}

async function days(db: Db): Promise<void> {
  await createTable(db, {
    name: 'day_starts',
    columns: {
      resource: 'text!',
      key: 'text!',
      from_date: 'text!',
      to_date: 'text!',
      since: 'text!',
    },
    key: ['resource', 'key', 'from_date'],
    narrow: true,
  });
  for (const [resource, table, key] of [
    ['availability', 'availability_reads', sql`cast(property_id as text)`],
    ['calendar', 'calendar_reads', sql`listing`],
  ] as const) {
    await sql`
      insert into day_starts (connection, resource, key, from_date, to_date, since)
      select connection, ${sql.lit(resource)}, ${key}, '0001-01-01', '9999-12-31', first_seen_at
      from ${sql.table(table)}
    `.execute(db);
  }
  const range = { from_date: 'text!', to_date: 'text!', valid_to: 'text!' } as const;
  await createTable(db, {
    name: 'availability_history',
    columns: { property_id: 'bigint!', change_seq: 'bigint!', ...range, available: 'bigint!', remarks: 'text' },
    key: ['property_id', 'change_seq', 'from_date'],
    narrow: true,
  });
  await createTable(db, {
    name: 'calendar_history',
    columns: {
      listing: 'text!',
      change_seq: 'bigint!',
      ...range,
      price: 'text',
      inventory: 'bigint!',
      closed_on_arrival: 'bigint!',
      closed_on_departure: 'bigint!',
      min_stay_on_arrival: 'bigint',
      max_stay_on_arrival: 'bigint',
      min_stay_through: 'bigint',
      max_stay_through: 'bigint',
      exact_stay_on_arrival: 'bigint',
      min_advance_reservation: 'text',
      max_advance_reservation: 'text',
    },
    key: ['listing', 'change_seq', 'from_date'],
    narrow: true,
  });
}

async function bounds(db: Db): Promise<void> {
  await createTable(db, {
    name: 'history_bounds',
    columns: { kept: 'text!', since: 'text!' },
    key: ['kept'],
    narrow: true,
  });
  await createTable(db, { name: 'erasure_keys', columns: { sealed: 'text!' }, key: [], narrow: true });
  await createTable(db, {
    name: 'erasures',
    columns: { subject: 'text!', erasure_id: 'text!', erased_at: 'text!', applied: 'bigint!' },
    key: ['subject'],
    narrow: true,
  });
}
