import { sql } from 'kysely';
import type { AccountRow } from '../../src/core/database.ts';
import type { TestCore } from './core.ts';

/** What every row of a watched account holds: one text in all its text columns, one number in all its ids, another elsewhere. */
export interface Canary {
  text: string;
  id: number;
  number: number;
}

/** Tables whose rows decide who somebody is; a made-up row there would change what is tested. */
const IDENTITY = [
  'accounts',
  'operators',
  'operator_properties',
  'operator_mirrored_properties',
  'tokens',
  'logins',
  'invites',
  'sessions',
];
/** Bookkeeping of the service itself, which no operation shows. */
const INTERNAL = ['request_counters'];
/** A row with one of these is not there any more. */
const GONE = /^(deleted|ended|archived|withdrawn|finished)_at$/;
const OF_PROPERTY = ['property_id', 'stay_id', 'stay_code', 'reservation_code', 'transaction_id'];

/**
 * Puts one row of canaries into every table of an account, whichever tables there are.
 * @param which all, or only what belongs to a property
 */
export async function plantCanaries(
  { core }: TestCore,
  { account_id }: AccountRow,
  canary: Canary,
  which: 'all' | 'of properties' = 'all',
): Promise<string[]> {
  const { db } = core.store;
  // The rows make no sense; nothing may depend on that.
  await sql`pragma foreign_keys = off`.execute(db);
  await sql`pragma ignore_check_constraints = on`.execute(db);
  const tables = (await db.introspection.getTables()).filter(
    ({ name, columns }) =>
      ![...IDENTITY, ...INTERNAL].includes(name) &&
      columns.some((column) => column.name === 'account_id') &&
      (which === 'all' || name === 'properties' || columns.some((column) => OF_PROPERTY.includes(column.name))),
  );
  for (const { name, columns } of tables) {
    const values = columns.map((column) => {
      if (column.name === 'account_id') return account_id;
      if (column.isNullable && GONE.test(column.name)) return null;
      if (/text|varchar/i.test(column.dataType)) return canary.text;
      return /(^|_)id$/.test(column.name) ? canary.id : canary.number;
    });
    const names = sql.join(columns.map((column) => sql.ref(column.name)));
    await sql`insert into ${sql.table(name)} (${names}) values (${sql.join(values)})`.execute(db);
  }
  await sql`pragma ignore_check_constraints = off`.execute(db);
  await sql`pragma foreign_keys = on`.execute(db);
  return tables.map(({ name }) => name);
}

/** Every row of an account, or those of its rows that hold the canary. */
export async function rowsOf(
  { core }: TestCore,
  { account_id }: AccountRow,
  canary?: Canary,
): Promise<Record<string, unknown[]>> {
  const { db } = core.store;
  const rows: Record<string, unknown[]> = {};
  for (const { name, columns } of await db.introspection.getTables()) {
    if (name === 'request_counters' || !columns.some((column) => column.name === 'account_id')) continue;
    const found = await sql`select * from ${sql.table(name)} where account_id = ${account_id}`.execute(db);
    rows[name] = found.rows.filter((row) => !canary || Object.values(Object(row)).includes(canary.text));
  }
  return rows;
}

/** Names of fields that say which thing is meant. A caller's own reference is not one. */
const NAMES_A_THING = /^id$|_ids?$|_code$/;
const OWN_REFERENCE = new Set(['channel_id', 'client_id']);

export function namesThing(field: string): boolean {
  return NAMES_A_THING.test(field) && !OWN_REFERENCE.has(field);
}

/** The same input about the canary: every field that names a thing, at any depth, names its row. */
export function aboutCanary(value: unknown, canary: Canary, field = ''): unknown {
  if (Array.isArray(value)) return value.map((inner) => aboutCanary(inner, canary, field));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, aboutCanary(inner, canary, name)]));
  }
  if (!namesThing(field)) return value;
  if (typeof value === 'number') return canary.id;
  return typeof value === 'string' && !/^\d+(,\d+)*$/.test(value) ? canary.text : String(canary.id);
}
