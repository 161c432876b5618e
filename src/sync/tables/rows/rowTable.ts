import type { Kysely } from 'kysely';
import { inList } from '../../../store/queries/inList.ts';
import { insertMany } from '../../../store/queries/insertMany.ts';
import { prepared } from '../../../store/queries/prepared.ts';
import type { Instant, PlainDate } from '../../../kernel/dates.ts';
import type { Mirror, MirrorTrx, StaysTable } from '../database.ts';
import type { Columns, MirrorResource, RowTable } from './resource.ts';
import { openedColumns, openedRaw, sealedColumns, sealedRaw } from './sealedValues.ts';

type Db = Kysely<Mirror>;
type RowKeys = readonly (string | number)[];

/** A row as the mirror stores it, without its typed columns. */
export interface StoredRow {
  row_key: string | number;
  /** The key that events name. */
  key: string | number;
  read_number: number;
  first_seen_at: Instant;
  changed_at: Instant;
  deleted_at: Instant | null;
  raw: string;
}

export type FullRow = Columns & Pick<StoredRow, 'read_number' | 'first_seen_at' | 'changed_at' | 'deleted_at' | 'raw'>;

/** The queries that every table of mirrored rows shares. */
export interface RowQueries {
  /** Reads the stored rows with these keys. */
  stored(trx: Db, connection: string, rowKeys: RowKeys): Promise<StoredRow[]>;
  /** Reads the stored rows, not gone, under these keys of events. */
  storedUnder(trx: Db, connection: string, keys: RowKeys): Promise<StoredRow[]>;
  /** Returns the rows among these that were ever seen, including those that are gone. */
  known(db: Db, connection: string, rowKeys: RowKeys): Promise<(string | number)[]>;
  /** Reads all columns of these rows. */
  whole(db: Db, connection: string, rowKeys: RowKeys): Promise<Columns[]>;
  write(trx: MirrorTrx, rows: readonly FullRow[]): Promise<void>;
  raise(trx: Db, connection: string, rowKeys: RowKeys, number: number): Promise<void>;
  tombstone(trx: Db, connection: string, rowKeys: RowKeys, number: number, at: Instant): Promise<void>;
  /** Returns the lowest read number among the rows of each key. */
  lowestNumbers(trx: Db, connection: string, keys: RowKeys): Promise<{ key: string | number; number: number }[]>;
  /** Returns rows, not gone, that no read since this number has seen; in key order, after `after`. */
  unseen(
    db: Db,
    connection: string,
    before: number,
    after: string | number | undefined,
    limit: number,
  ): Promise<Unseen>;
  /** Like `unseen`, for the rows within a scope, in the order of its column. */
  unseenWithin(
    db: Db,
    connection: string,
    before: number,
    scope: Scope,
    after: ScopePlace | undefined,
    limit: number,
  ): Promise<UnseenWithin>;
  /** Counts the rows of a scope that are not gone. */
  countWithin(db: Db, connection: string, scope: Scope): Promise<number>;
  /** Counts the rows that are not gone. */
  count(db: Db, connection: string): Promise<number>;
}

export interface Unseen {
  rows: { row_key: string | number; key: string | number }[];
  /** The position to continue from; undefined at the end. */
  next: string | number | undefined;
}

/** Rows of a table whose date in one column is within a range. An index has that column before the key. */
export interface Scope {
  column: string;
  from: PlainDate;
  to: PlainDate;
  /** Restricts the scope to rows that are not later in another column. */
  notAfter?: { column: string; date: PlainDate };
}

interface ScopePlace {
  date: PlainDate;
  key: string | number;
}

export interface UnseenWithin {
  rows: Unseen['rows'];
  next: ScopePlace | undefined;
}

const made = new Map<RowTable, RowQueries>();

/** Returns the queries for the table of one kind of row. */
export function rowQueries(resource: MirrorResource): RowQueries {
  const known = made.get(resource.table);
  if (known) return known;
  const queries = makeQueries(resource);
  made.set(resource.table, queries);
  return queries;
}

function makeQueries({ name: resource, table: tableName, keyColumn, groupColumn }: MirrorResource): RowQueries {
  // These tables share the columns used here. Kysely's types cannot express that, so one table represents all.
  const table = tableName as 'stays';
  const key = keyColumn as 'stay_code';
  const group = groupColumn as 'reservation_code';
  const facts = ['read_number', 'first_seen_at', 'changed_at', 'deleted_at', 'raw'] as const;
  type Under = { connection: string; keys: RowKeys };
  const listOf = (keys: RowKeys) => keys as readonly string[];

  const stored = prepared((db: Db, arg: Under) =>
    db
      .selectFrom(table)
      .select([`${key} as row_key`, `${group} as key`, ...facts])
      .where('connection', '=', arg.connection)
      .where((eb) => inList(eb.ref(key), listOf(arg.keys)))
      .forUpdate(),
  );
  const storedUnder = prepared((db: Db, arg: Under) =>
    db
      .selectFrom(table)
      .select([`${key} as row_key`, `${group} as key`, ...facts])
      .where('connection', '=', arg.connection)
      .where((eb) => inList(eb.ref(group), listOf(arg.keys)))
      .where('deleted_at', 'is', null)
      .forUpdate(),
  );
  const known = prepared((db: Db, arg: Under) =>
    db
      .selectFrom(table)
      .select(`${key} as row_key`)
      .where('connection', '=', arg.connection)
      .where((eb) => inList(eb.ref(key), listOf(arg.keys))),
  );
  const whole = prepared((db: Db, arg: Under) =>
    db
      .selectFrom(table)
      .selectAll()
      .where('connection', '=', arg.connection)
      .where((eb) => inList(eb.ref(key), listOf(arg.keys))),
  );
  const raise = prepared((db: Db, arg: Under & { number: number }) =>
    db
      .updateTable(table)
      .set({ read_number: arg.number })
      .where('connection', '=', arg.connection)
      .where((eb) => inList(eb.ref(key), listOf(arg.keys))),
  );
  const tombstone = prepared((db: Db, arg: Under & { number: number; at: Instant }) =>
    db
      .updateTable(table)
      .set({ read_number: arg.number, deleted_at: arg.at, changed_at: arg.at })
      .where('connection', '=', arg.connection)
      .where((eb) => inList(eb.ref(key), listOf(arg.keys))),
  );
  const lowest = prepared((db: Db, arg: Under) =>
    db
      .selectFrom(table)
      .select((eb) => [`${group} as key`, eb.fn.min('read_number').as('number')])
      .where('connection', '=', arg.connection)
      .where((eb) => inList(eb.ref(group), listOf(arg.keys)))
      .where('deleted_at', 'is', null)
      .groupBy(group),
  );
  const columns = ['connection', key] as const;
  const within = (db: Db, connection: string, { column, from, to, notAfter }: Scope) =>
    db
      .selectFrom(table)
      .where('connection', '=', connection)
      .where('deleted_at', 'is', null)
      .where(column as 'check_out_date', '>=', from)
      .where(column as 'check_out_date', '<=', to)
      .$if(notAfter !== undefined, (query) =>
        query.where(notAfter?.column as 'check_in_date', '<=', notAfter?.date ?? ''),
      );

  const opened = (db: Db, connection: string, rows: StoredRow[]) =>
    rows.map((row) => ({ ...row, raw: openedRaw(db, { connection, resource, key: row.key }, row.raw) }));

  return {
    stored: async (trx, connection, keys) => opened(trx, connection, await stored(trx, { connection, keys })),
    storedUnder: async (trx, connection, keys) => opened(trx, connection, await storedUnder(trx, { connection, keys })),
    known: async (db, connection, keys) => (await known(db, { connection, keys })).map((row) => row.row_key),
    async whole(db, connection, keys) {
      const rows = (await whole(db, { connection, keys })) as unknown as Columns[];
      return rows.map((row) => {
        const name = { connection, resource, key: String(row[keyColumn]) };
        return openedColumns(db, name, { ...row, raw: openedRaw(db, name, String(row['raw'])) });
      });
    },
    async write(trx, rows) {
      const [first] = rows;
      if (!first) return;
      const update = Object.keys(first).filter((name) => name !== 'connection' && name !== key) as (keyof StaysTable)[];
      const written = rows.map((row) => {
        const name = { connection: String(row['connection']), resource, key: String(row[keyColumn]) };
        return sealedColumns(trx, name, { ...row, raw: sealedRaw(trx, name, row.raw) });
      });
      await insertMany(trx, table, written as unknown as StaysTable[], { columns, update });
    },
    async raise(trx, connection, keys, number) {
      if (keys.length > 0) await raise(trx, { connection, keys, number });
    },
    async tombstone(trx, connection, keys, number, at) {
      if (keys.length > 0) await tombstone(trx, { connection, keys, number, at });
    },
    lowestNumbers: (trx, connection, keys) => lowest(trx, { connection, keys }),
    async unseen(db, connection, before, after, limit) {
      // All rows are read in key order and filtered here: an index over read numbers would burden each read.
      const rows = await db
        .selectFrom(table)
        .select([`${key} as row_key`, `${group} as key`, 'read_number', 'deleted_at'])
        .where('connection', '=', connection)
        .$if(after !== undefined, (query) => query.where(key, '>', after as string))
        .orderBy(key)
        .limit(limit)
        .execute();
      const last = rows.at(-1);
      return {
        rows: rows.filter((row) => row.read_number < before && row.deleted_at === null),
        next: rows.length === limit ? last?.row_key : undefined,
      };
    },
    async unseenWithin(db, connection, before, scope, after, limit) {
      const date = scope.column as 'check_out_date';
      const rows = await within(db, connection, scope)
        .select([`${key} as row_key`, `${group} as key`, `${date} as date`, 'read_number'])
        .$if(after !== undefined, (query) =>
          query.where((eb) =>
            eb.or([
              eb(date, '>', after?.date ?? ''),
              eb.and([eb(date, '=', after?.date ?? ''), eb(key, '>', after?.key as string)]),
            ]),
          ),
        )
        .orderBy(date)
        .orderBy(key)
        .limit(limit)
        .execute();
      const last = rows.at(-1);
      return {
        rows: rows.filter((row) => row.read_number < before),
        // The scope leaves out rows that have no date.
        next: rows.length === limit && last?.date ? { date: last.date, key: last.row_key } : undefined,
      };
    },
    async countWithin(db, connection, scope) {
      const { rows } = await within(db, connection, scope)
        .select((eb) => eb.fn.countAll<number>().as('rows'))
        .executeTakeFirstOrThrow();
      return rows;
    },
    async count(db, connection) {
      const { rows } = await db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('rows'))
        .where('connection', '=', connection)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow();
      return rows;
    },
  };
}
