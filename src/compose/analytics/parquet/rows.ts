import { type QueryExecutorProvider, sql } from 'kysely';
import { kindOf } from '../../../store/kind.ts';
import { valueOf } from '../select.ts';
import type { AnalystView, ViewColumn } from '../views.ts';

export type StoredRow = readonly (string | number | null)[];

/** Rows read at a stretch. */
const PAGE = 5_000;

/** Returns the columns of the primary key of each table, in their order. */
export async function primaryKeys(db: QueryExecutorProvider): Promise<Map<string, string[]>> {
  const asked = kindOf(db) === 'sqlite' ? OF_SQLITE : OF_POSTGRES;
  const keys = new Map<string, string[]>();
  for (const { relation, name } of (await asked.execute(db)).rows) {
    keys.set(relation, [...(keys.get(relation) ?? []), name]);
  }
  return keys;
}

const OF_SQLITE = sql<{ relation: string; name: string }>`
  select m.name as relation, c.name as name from sqlite_schema m, pragma_table_info(m.name) c
  where m.type = 'table' and c.pk > 0 order by m.name, c.pk`;

const OF_POSTGRES = sql<{ relation: string; name: string }>`
  select t.relname as relation, a.attname as name
  from pg_index i join pg_class t on t.oid = i.indrelid
    cross join lateral unnest(i.indkey) with ordinality k (number, place)
    join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number
  where i.indisprimary and t.relnamespace = current_schema()::regnamespace
  order by t.relname, k.place`;

export interface Reading {
  view: AnalystView;
  columns: readonly ViewColumn[];
  key: readonly string[];
  /** Further condition, for a part of the table. */
  where?: ReturnType<typeof sql<boolean>>;
  /** Most rows. */
  limit?: number;
}

/** Reads rows in the order of their key, a page at a time: no page costs more than the one before. */
export async function* rowsOf(db: QueryExecutorProvider, { view, columns, key, where, limit }: Reading) {
  const { relation, hasTombstones } = view;
  const list = sql.join([
    ...columns.map(({ from }, index) => sql`${sql.raw(valueOf(view, from))} as ${sql.id(`c${index}`)}`),
    ...key.map((name, index) => sql`${sql.ref(`${relation}.${name}`)} as ${sql.id(`k${index}`)}`),
  ]);
  const order = sql.join(key.map((name) => sql.ref(`${relation}.${name}`)));
  let after: (string | number)[] | undefined;
  let left = limit ?? Number.POSITIVE_INFINITY;
  while (left > 0) {
    const conditions = [
      ...(hasTombstones ? [sql`${sql.ref(`${relation}.deleted_at`)} is null`] : []),
      ...(where ? [where] : []),
      ...(after ? [sql`(${order}) > (${sql.join(after)})`] : []),
    ];
    const size = Math.min(PAGE, left);
    const { rows } = await sql<Record<string, string | number | null>>`
      select ${list} from ${sql.table(relation)}
      ${conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``}
      order by ${order} limit ${sql.lit(size)}`.execute(db);
    for (const row of rows) yield columns.map((_, index) => row[`c${index}`] ?? null) as StoredRow;
    const last = rows.at(-1);
    if (rows.length < size || !last) return;
    after = key.map((_, index) => last[`k${index}`] ?? '');
    left -= rows.length;
  }
}
