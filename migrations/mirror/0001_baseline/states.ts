import { type Kysely, sql } from 'kysely';

type Db = Kysely<unknown>;

/** A table of mirrored rows, with the word of the feed, the column that events name, and the row's own. */
export type RowTable = readonly [resource: string, table: string, key: string, row: string];

export const rowTables: readonly RowTable[] = [
  ['reservation', 'stays', 'reservation_code', 'stay_code'],
  ['transaction', 'transactions', 'id', 'id'],
  ['property', 'properties', 'id', 'id'],
  ['channel_account', 'channel_accounts', 'id', 'id'],
  ['listing', 'listings', 'listing', 'listing'],
  ['custom_channel', 'custom_channels', 'id', 'id'],
  ['dictionary_item', 'dictionary_items', 'item', 'item'],
  ['account', 'accounts', 'account_id', 'account_id'],
  ['webhook', 'webhooks', 'id', 'id'],
  ['room_type', 'room_types', 'id', 'id'],
  ['property_group', 'property_groups', 'id', 'id'],
  ['property_tag', 'property_tags', 'id', 'id'],
  ['reservation_tag', 'reservation_tags', 'id', 'id'],
  ['calendar_share_link', 'calendar_share_links', 'id', 'id'],
  ['conversation', 'conversations', 'conversation_id', 'conversation_id'],
  ['message', 'messages', 'conversation_id', 'message'],
  ['special_offer', 'special_offers', 'conversation_id', 'offer'],
  ['review', 'reviews', 'reservation_code', 'review'],
  ['automation_action', 'automation_actions', 'plan_id', 'plan_id'],
  ['knowledge_base', 'knowledge_bases', 'id', 'id'],
  ['staff', 'staffs', 'id', 'id'],
  ['task', 'tasks', 'id', 'id'],
];

/** Creates the views `states`, `availability_states` and `calendar_states`. */
export async function createStateViews(db: Db): Promise<void> {
  await createStates(db, rowTables, 'create');
  await createDayStates(db);
}

/** Every state of every row, with when it began and ended. */
export async function createStates(db: Db, tables: readonly RowTable[], create: 'create' | 'create or replace') {
  const current = tables.map(([resource, table, key, row]) => {
    const rowKey = sql`cast(${sql.ref(row)} as text)`;
    const eventKey = sql`cast(${sql.ref(key)} as text)`;
    return sql`
      select connection, ${sql.lit(resource)} as resource, ${eventKey} as key,
        ${key === row ? sql`null` : sql`case when ${rowKey} = ${eventKey} then null else ${rowKey} end`} as part,
        changed_at as valid_from, null as valid_to, raw
      from ${sql.table(table)} where deleted_at is null
    `;
  });
  await sql`
    ${sql.raw(create)} view states as
    select connection, resource, key, part, valid_from, valid_to, raw from versions
      where resource not in ('availability', 'calendar')
    union all ${sql.join(current, sql` union all `)}
  `.execute(db);
}

/** Creates the views of every state of every day. */
export async function createDayStates(db: Db): Promise<void> {
  const availability = ['available', 'remarks'];
  const calendar = [
    'price',
    'inventory',
    'closed_on_arrival',
    'closed_on_departure',
    'min_stay_on_arrival',
    'max_stay_on_arrival',
    'min_stay_through',
    'max_stay_through',
    'exact_stay_on_arrival',
    'min_advance_reservation',
    'max_advance_reservation',
  ];
  await dayStates(db, { name: 'availability', resource: 'availability', key: 'property_id', values: availability });
  await dayStates(db, { name: 'calendar', resource: 'calendar', key: 'listing', values: calendar });
}

/** Every state of every day, with when it began and ended. */
async function dayStates(
  db: Db,
  of: { name: string; resource: string; key: string; values: readonly string[] },
): Promise<void> {
  const [days, history] = [sql.table(`${of.name}_days`), sql.table(`${of.name}_history`)];
  const key = sql.ref(of.key);
  const [dayKey, pastKey, earlierKey] = [`d.${of.key}`, `h.${of.key}`, `e.${of.key}`].map((name) => sql.ref(name));
  const valuesOf = (table: string) => sql.join(of.values.map((name) => sql.ref(`${table}.${name}`)));
  const known = sql`(
    select min(s.since) from day_starts s
    where s.connection = d.connection and s.resource = ${sql.lit(of.resource)} and s.key = cast(${dayKey} as text)
      and s.from_date <= d.date and s.to_date >= d.date)`;
  const endOfEarlier = (bound: ReturnType<typeof sql>) => sql`(
    select max(e.valid_to) from ${history} e
    where e.connection = d.connection and ${earlierKey} = ${dayKey}
      and e.from_date <= d.date and e.to_date >= d.date ${bound})`;
  await sql`
    create view ${sql.table(`${of.name}_states`)} as
    select d.connection, ${dayKey} as ${key}, d.date, coalesce(${endOfEarlier(sql``)}, ${known}) as valid_from,
      null as valid_to, ${valuesOf('d')}
    from ${days} d
    union all
    select d.connection, ${dayKey} as ${key}, d.date,
      coalesce(${endOfEarlier(sql`and e.change_seq < h.change_seq`)}, ${known}) as valid_from,
      h.valid_to, ${valuesOf('h')}
    from ${days} d join ${history} h
      on h.connection = d.connection and ${pastKey} = ${dayKey} and h.from_date <= d.date and h.to_date >= d.date
  `.execute(db);
}
