import type { Fields } from '../../../client/fields.ts';
import type { Instant } from '../../../kernel/dates.ts';
import { inList } from '../../../store/queries/inList.ts';
import type { MirrorDb } from '../../tables/database.ts';
import type { MirrorResource } from '../../tables/rows/resource.ts';
import { openedRaw } from '../../tables/rows/sealedValues.ts';

/** A state of a row with its period; `valid_to` is not included, null: it is current. */
interface RowState {
  key: string;
  part: string | null;
  valid_from: Instant;
  valid_to: Instant | null;
  row: Fields;
}

/** The states of some rows at a time. */
export interface RowStates {
  states: RowState[];
  /** The moment when the first of the rows was first read; undefined: none ever was. */
  firstSeenAt: Instant | undefined;
  /** The moment when the last of the rows that were gone by then was found to be gone. */
  goneAt: Instant | undefined;
}

interface Current {
  key: string | number;
  row_key: string | number;
  first_seen_at: Instant;
  changed_at: Instant;
  deleted_at: Instant | null;
  raw: string;
}

/** Returns the states at a time of all rows under a key of events. */
export async function statesUnder(
  db: MirrorDb,
  connection: string,
  resource: MirrorResource,
  key: string,
  at: Instant,
): Promise<RowStates> {
  const wanted = keyFor(resource.groupColumn, key);
  if (wanted === undefined) return { states: [], firstSeenAt: undefined, goneAt: undefined };
  const { table, row, group } = columnsOf(resource);
  const current: Current[] = await db
    .selectFrom(table)
    .select([`${group} as key`, `${row} as row_key`, 'first_seen_at', 'changed_at', 'deleted_at', 'raw'])
    .where('connection', '=', connection)
    .where(group, '=', wanted as string)
    .orderBy(row)
    .execute();
  return statesAt(db, { connection, resource: resource.name, at }, current);
}

/**
 * Returns one page of all rows at a time, in the order of their keys. Rows without a state at that time are left out.
 */
export async function statesPage(
  db: MirrorDb,
  connection: string,
  resource: MirrorResource,
  { at, after, limit }: { at: Instant; after: string | undefined; limit: number },
): Promise<{ states: RowState[]; next: string | null }> {
  const { table, row, group } = columnsOf(resource);
  const behind = after === undefined ? undefined : keyFor(resource.keyColumn, after);
  const current: Current[] = await db
    .selectFrom(table)
    .select([`${group} as key`, `${row} as row_key`, 'first_seen_at', 'changed_at', 'deleted_at', 'raw'])
    .where('connection', '=', connection)
    .$if(behind !== undefined, (query) => query.where(row, '>', behind as string))
    .orderBy(row)
    .limit(limit)
    .execute();
  const { states } = await statesAt(db, { connection, resource: resource.name, at }, current);
  const last = current.at(-1);
  return { states, next: current.length === limit && last ? String(last.row_key) : null };
}

/**
 * Returns the columns for queries. These tables share the columns used here. Kysely's types cannot express that, so one
 * table represents all.
 */
export function columnsOf(resource: MirrorResource) {
  return {
    table: resource.table as 'stays',
    row: resource.keyColumn as 'stay_code',
    group: resource.groupColumn as 'reservation_code',
  };
}

/** Returns a key in the type of its column; undefined: no row can have this key. */
export function keyFor(column: string, key: string): string | number | undefined {
  if (column !== 'id') return key;
  return /^\d{1,15}$/.test(key) ? Number(key) : undefined;
}

interface Moment {
  connection: string;
  resource: string;
  at: Instant;
}

async function statesAt(db: MirrorDb, moment: Moment, current: readonly Current[]): Promise<RowStates> {
  const changedSince = current.filter((one) => one.changed_at > moment.at);
  const old = await versionsAt(db, moment, [...new Set(changedSince.map((one) => String(one.key)))]);
  const rowOf = (key: string, raw: string) => JSON.parse(openedRaw(db, { ...moment, key }, raw)) as Fields;
  const states = current.flatMap((one): RowState[] => {
    const key = String(one.key);
    const part = key === String(one.row_key) ? null : String(one.row_key);
    if (one.changed_at > moment.at) return old.get(idOf(key, part)) ?? [];
    if (one.deleted_at !== null) return [];
    return [{ key, part, valid_from: one.changed_at, valid_to: null, row: rowOf(key, one.raw) }];
  });
  const goneBy = current.flatMap(({ deleted_at }) =>
    deleted_at !== null && deleted_at <= moment.at ? deleted_at : [],
  );
  return {
    states,
    firstSeenAt: current.map((one) => one.first_seen_at).toSorted()[0],
    goneAt: goneBy.toSorted().at(-1),
  };
}

async function versionsAt(
  db: MirrorDb,
  { connection, resource, at }: Moment,
  keys: readonly string[],
): Promise<Map<string, RowState[]>> {
  const found = new Map<string, RowState[]>();
  if (keys.length === 0) return found;
  const rows = await db
    .selectFrom('versions')
    .select(['key', 'part', 'valid_from', 'valid_to', 'raw'])
    .where('connection', '=', connection)
    .where('resource', '=', resource)
    .where((eb) => inList(eb.ref('key'), keys))
    .where('valid_from', '<=', at)
    .where('valid_to', '>', at)
    .orderBy('change_seq')
    .execute();
  for (const { key, part, valid_from, valid_to, raw } of rows) {
    found.set(idOf(key, part), [
      { key, part, valid_from, valid_to, row: JSON.parse(openedRaw(db, { connection, resource, key }, raw)) as Fields },
    ]);
  }
  return found;
}

function idOf(key: string, part: string | null): string {
  return JSON.stringify([key, part]);
}
