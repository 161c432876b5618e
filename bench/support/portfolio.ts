import Database from 'better-sqlite3';
import { addDays, type PlainDate } from '../../src/kernel/dates.ts';
import type { AccountId } from '../../src/kernel/ids.ts';

/** How much a benched account has, and from when on. */
export interface Portfolio {
  accountId: AccountId;
  /** The night on which its first stays begin. */
  from: PlainDate;
  properties: number;
  reservations: number;
}

/** A stay has two nights, and the property one more before the next. */
const CYCLE_DAYS = 3;
/** Stays written in one statement. */
const BATCH = 100_000;
const LEDGER_DAYS = 360;
const MESSAGES = 100;

/** The nights on which a portfolio's last stays begin: each of its properties has one then. */
export function lastCheckIns({ from, properties, reservations }: Portfolio): { first: PlainDate; last: PlainDate } {
  const cycles = Math.ceil(reservations / properties);
  const first = addDays(from, (cycles - 1) * CYCLE_DAYS);
  return { first, last: addDays(first, CYCLE_DAYS - 1) };
}

/**
 * Writes a whole portfolio into the tables of a core that is not at work, past all rules: stays with their guests and
 * nights, an entry of the ledger and a thread for each, reviews and tasks for some. Properties have the ids from 1 on.
 */
export function fillPortfolio(file: string, portfolio: Portfolio): void {
  const database = new Database(file);
  try {
    // What it makes is thrown away, and indexes built at the end are built once.
    database.pragma('synchronous = off');
    database.pragma('cache_size = -262144');
    const indexes = database
      .prepare<[], { name: string; sql: string }>(
        `select name, sql from sqlite_master where type = 'index' and sql like 'create index%'
         and tbl_name in ('stays', 'reservations', 'transactions', 'conversations', 'tasks')`,
      )
      .all();
    // What the planner is told of an index goes with it.
    const statistics = database.prepare('select tbl, idx, stat from sqlite_stat1').all();
    for (const { name } of indexes) database.exec(`drop index "${name}"`);
    addProperties(database, portfolio);
    for (let first = 1; first <= portfolio.reservations; first += BATCH) {
      addStays(database, portfolio, first, Math.min(first + BATCH - 1, portfolio.reservations));
    }
    addMessages(database, portfolio);
    for (const { sql } of indexes) database.exec(sql);
    database.exec('delete from sqlite_stat1');
    const insert = database.prepare('insert into sqlite_stat1 (tbl, idx, stat) values (:tbl, :idx, :stat)');
    for (const row of statistics) insert.run(row);
    database.pragma('wal_checkpoint(truncate)');
  } finally {
    database.close();
  }
}

function addProperties(database: Database.Database, { accountId, properties }: Portfolio): void {
  database
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < :properties)
       insert into properties (account_id, id, name, status, address, longitude, latitude, time_zone, currency, created_at)
       select :account, i, printf('House %06d', i), 'active', '1 Sea Road', '9.99', '53.55', 'Europe/Berlin', 'EUR',
         '2020-01-01T00:00:00.000Z' from n`,
    )
    .run({ account: accountId, properties });
}

/** `i` counts the stays: it is their number, and all else about them follows from it. */
const STAYS = `
  with recursive n(i) as (select :first union all select i + 1 from n where i < :last),
  stay as (
    select i, :account as account_id, printf('5-%06X-%06X', (i * 7919) % 16777216, i) as code,
      1 + (i - 1) % :properties as property_id,
      date(:from, printf('+%d days', (i - 1) / :properties * ${CYCLE_DAYS} + (i - 1) % :properties % ${CYCLE_DAYS})) as check_in,
      strftime('%Y-%m-%dT%H:%M:%S.000Z', :from, printf('+%d seconds', i * ${LEDGER_DAYS * 86_400} / :reservations)) as at,
      printf('01%024X', i) as thread
    from n
  )`;

const STAY_ROWS: Record<string, string> = {
  reservations: `(account_id, reservation_code, channel_id, currency, total_rate, total_commission, conversation_id,
      income_transaction_id)
    ${STAYS} select account_id, code, code, 'EUR', 20000, 0, thread, i from stay`,
  stays: `(account_id, id, stay_code, reservation_code, property_id, channel_type, listing_id, status, stay_status,
      check_in_date, check_out_date, number_of_guests, rate, commission, rate_details, additional_fees, booked_at,
      created_at, deposit, id_required)
    ${STAYS} select account_id, i, code, code, property_id, 'direct', '', 'accepted', 'checkin_pending', check_in,
      date(check_in, '+2 days'), 2, 20000, 0,
      '[{"type":"ACCOMMODATION","description":"","amount":20000}]', '[]', at, at, 0, 'not_required' from stay`,
  guests: `(account_id, stay_id, id, is_booker, name, email)
    ${STAYS} select account_id, i, i, 1, printf('Guest %d', i), printf('guest%d@example.org', i) from stay`,
  nights: `(account_id, property_id, night, stay_id)
    ${STAYS} select account_id, property_id, date(check_in, printf('+%d days', night)), i
      from stay, (select 0 as night union all select 1)`,
  transactions: `(account_id, id, direction, item_id, payment_method_id, amount, currency, action_at, note,
      reservation_code, created_at, updated_at)
    ${STAYS} select account_id, i, 'income',
      (select min(id) from dictionary_items where account_id = :account and dictionary = 'income_items'),
      (select min(id) from dictionary_items where account_id = :account and dictionary = 'income_methods'),
      20000, 'EUR', at, '', code, at, at from stay`,
  conversations: `(account_id, id, conversation_id, channel_type, channel_thread_id, guest_name, last_message_at,
      last_message, unread_count, created_at)
    ${STAYS} select account_id, i, thread, 'direct', code, printf('Guest %d', i), at, 'When can we come?', 1, at from stay`,
  reviews: `(account_id, reservation_code, id, stay_id, guest_review, created_at)
    ${STAYS} select account_id, code, i / 3, i,
      json_object('overall_rating', 5, 'content', 'All was well.', 'created_at', at), at from stay where i % 3 = 0`,
  tasks: `(account_id, id, type, status, property_id, stay_code, expected_date, currency, note, created_at, updated_at)
    ${STAYS} select account_id, i, 'cleaning', 'pending', property_id, code, check_in, 'EUR', '', at, at
      from stay where i % 2 = 0`,
};

function addStays(database: Database.Database, portfolio: Portfolio, first: number, last: number): void {
  const { accountId: account, from, properties, reservations } = portfolio;
  const values: Record<string, unknown> = { account, from, properties, reservations, first, last };
  database.exec('begin');
  for (const [table, rows] of Object.entries(STAY_ROWS)) {
    const used = Object.entries(values).filter(([name]) => rows.includes(`:${name}`));
    database.prepare(`insert into ${table} ${rows}`).run(bigints(used));
  }
  database.exec('commit');
}

/** The id of the thread of the last stay, the one with messages. */
export function lastThread({ reservations }: Portfolio): string {
  return `01${reservations.toString(16).toUpperCase().padStart(24, '0')}`;
}

/** Gives the last thread a long talk. */
function addMessages(database: Database.Database, portfolio: Portfolio): void {
  const values = { account: portfolio.accountId, thread: lastThread(portfolio), messages: MESSAGES };
  database
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < :messages)
       insert into messages (account_id, conversation_id, id, message_id, posted, sender_role, sender_name, display_type,
         content, attachments, sources, sent_at, created_at)
       select :account, :thread, i, printf('02%024X', i), 0, 'guest', 'Ada Guest', 'Text',
         'Can we leave our bicycles in the garden, and is there a lift to the second floor?', '[]', '[]',
         strftime('%Y-%m-%dT%H:%M:%S.000Z', '2026-01-01', printf('+%d minutes', i)), '2026-01-01T00:00:00.000Z' from n`,
    )
    .run(bigints(Object.entries(values)));
}

/** Numbers as the whole numbers they are; the driver binds plain ones as floating point. */
function bigints(entries: [string, unknown][]): Record<string, unknown> {
  return Object.fromEntries(entries.map(([name, value]) => [name, typeof value === 'number' ? BigInt(value) : value]));
}
