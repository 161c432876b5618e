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

interface Unseen {
  rows: { row_key: string | number; key: string | number }[];
  /** The position to continue from; undefined at the end. */
  next: string | number | undefined;
}

/** Rows of a table whose date in one column is within a range. An index has that column before the key. */
export interface DateScope {
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

interface UnseenWithin {
  rows: Unseen['rows'];
  next: ScopePlace | undefined;
}

const made = new Map<RowTable, RowQueries>();

/** Returns the queries for the table of one kind of row. */
export function rowQueries(resource: MirrorResource): RowQueries {
  const known = made.get(resource.table);
  if (known) return known;
  const queries = new RowQueries(resource);
  made.set(resource.table, queries);
  return queries;
}

/** The queries that every table of mirrored rows shares. */
class RowQueries {
  readonly #resource: MirrorResource;
  readonly #names: Names;
  readonly #statements: ReturnType<typeof statementsOf>;

  constructor(resource: MirrorResource) {
    this.#resource = resource;
    // These tables share the columns used here. Kysely's types cannot express that, so one table represents all.
    this.#names = {
      table: resource.table as 'stays',
      key: resource.keyColumn as 'stay_code',
      group: resource.groupColumn as 'reservation_code',
    };
    this.#statements = statementsOf(this.#names);
  }

  /** Reads the stored rows with these keys. */
  async stored(trx: Db, connection: string, keys: RowKeys): Promise<StoredRow[]> {
    return this.#opened(trx, connection, await this.#statements.stored(trx, { connection, keys }));
  }

  /** Reads the stored rows, not gone, under these keys of events. */
  async storedUnder(trx: Db, connection: string, keys: RowKeys): Promise<StoredRow[]> {
    return this.#opened(trx, connection, await this.#statements.storedUnder(trx, { connection, keys }));
  }

  /** Returns the rows among these that were ever seen, including those that are gone. */
  async known(db: Db, connection: string, keys: RowKeys): Promise<(string | number)[]> {
    return (await this.#statements.known(db, { connection, keys })).map((row) => row.row_key);
  }

  /** Reads all columns of these rows. */
  async allColumns(db: Db, connection: string, keys: RowKeys): Promise<Columns[]> {
    const rows = (await this.#statements.allColumns(db, { connection, keys })) as unknown as Columns[];
    return rows.map((row) => {
      const name = this.#nameOf(connection, row);
      return openedColumns(db, name, { ...row, raw: openedRaw(db, name, String(row['raw'])) });
    });
  }

  /** Writes rows that are new or changed. */
  async write(trx: MirrorTrx, rows: readonly FullRow[]): Promise<void> {
    const [first] = rows;
    if (!first) return;
    const { table, key } = this.#names;
    const columns = ['connection', key] as const;
    const update = Object.keys(first).filter((name) => name !== 'connection' && name !== key) as (keyof StaysTable)[];
    const written = rows.map((row) => {
      const name = this.#nameOf(String(row['connection']), row);
      return sealedColumns(trx, name, { ...row, raw: sealedRaw(trx, name, row.raw) });
    });
    await insertMany(trx, table, written as unknown as StaysTable[], { columns, update });
  }

  /** Notes the number of a read that has seen these rows unchanged. */
  async raise(trx: Db, connection: string, keys: RowKeys, number: number): Promise<void> {
    if (keys.length > 0) await this.#statements.raise(trx, { connection, keys, number });
  }

  /** Notes that these rows are gone. */
  async tombstone(trx: Db, connection: string, keys: RowKeys, number: number, at: Instant): Promise<void> {
    if (keys.length > 0) await this.#statements.tombstone(trx, { connection, keys, number, at });
  }

  /** Returns the lowest read number among the rows of each key. */
  lowestNumbers(trx: Db, connection: string, keys: RowKeys): Promise<{ key: string | number; number: number }[]> {
    return this.#statements.lowest(trx, { connection, keys });
  }

  /** Returns rows, not gone, that no read since this number has seen; in key order, after `after`. */
  async unseen(
    db: Db,
    connection: string,
    before: number,
    after: string | number | undefined,
    limit: number,
  ): Promise<Unseen> {
    const { table, key, group } = this.#names;
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
  }

  /** Like `unseen`, for the rows within a scope, in the order of its column. */
  async unseenWithin(
    db: Db,
    connection: string,
    before: number,
    scope: DateScope,
    after: ScopePlace | undefined,
    limit: number,
  ): Promise<UnseenWithin> {
    const { key, group } = this.#names;
    const date = scope.column as 'check_out_date';
    const rows = await this.#within(db, connection, scope)
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
  }

  /** Counts the rows of a scope that are not gone. */
  async countWithin(db: Db, connection: string, scope: DateScope): Promise<number> {
    const { rows } = await this.#within(db, connection, scope)
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow();
    return rows;
  }

  /** Counts the rows that are not gone. */
  async count(db: Db, connection: string): Promise<number> {
    const { rows } = await db
      .selectFrom(this.#names.table)
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .where('connection', '=', connection)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    return rows;
  }

  #within(db: Db, connection: string, { column, from, to, notAfter }: DateScope) {
    return db
      .selectFrom(this.#names.table)
      .where('connection', '=', connection)
      .where('deleted_at', 'is', null)
      .where(column as 'check_out_date', '>=', from)
      .where(column as 'check_out_date', '<=', to)
      .$if(notAfter !== undefined, (query) =>
        query.where(notAfter?.column as 'check_in_date', '<=', notAfter?.date ?? ''),
      );
  }

  #nameOf(connection: string, row: Columns) {
    return { connection, resource: this.#resource.name, key: String(row[this.#resource.keyColumn]) };
  }

  #opened(db: Db, connection: string, rows: StoredRow[]): StoredRow[] {
    const resource = this.#resource.name;
    return rows.map((row) => ({ ...row, raw: openedRaw(db, { connection, resource, key: row.key }, row.raw) }));
  }
}

/** The table of a resource, and its columns of the row's key and of the key that events name. */
interface Names {
  table: 'stays';
  key: 'stay_code';
  group: 'reservation_code';
}

interface UnderKeys {
  connection: string;
  keys: RowKeys;
}

function statementsOf(names: Names) {
  return { ...readStatements(names), ...writeStatements(names) };
}

function readStatements({ table, key, group }: Names) {
  const facts = ['read_number', 'first_seen_at', 'changed_at', 'deleted_at', 'raw'] as const;
  const rowsOf = (db: Db, connection: string) =>
    db
      .selectFrom(table)
      .select([`${key} as row_key`, `${group} as key`, ...facts])
      .where('connection', '=', connection);
  const stored = (db: Db, { connection, keys }: UnderKeys) =>
    rowsOf(db, connection)
      .where((eb) => inList(eb.ref(key), textsOf(keys)))
      .forUpdate();
  const storedUnder = (db: Db, { connection, keys }: UnderKeys) =>
    rowsOf(db, connection)
      .where((eb) => inList(eb.ref(group), textsOf(keys)))
      .where('deleted_at', 'is', null)
      .forUpdate();
  const known = (db: Db, { connection, keys }: UnderKeys) =>
    db
      .selectFrom(table)
      .select(`${key} as row_key`)
      .where('connection', '=', connection)
      .where((eb) => inList(eb.ref(key), textsOf(keys)));
  const allColumns = (db: Db, { connection, keys }: UnderKeys) =>
    db
      .selectFrom(table)
      .selectAll()
      .where('connection', '=', connection)
      .where((eb) => inList(eb.ref(key), textsOf(keys)));
  const lowest = (db: Db, { connection, keys }: UnderKeys) =>
    db
      .selectFrom(table)
      .select((eb) => [`${group} as key`, eb.fn.min('read_number').as('number')])
      .where('connection', '=', connection)
      .where((eb) => inList(eb.ref(group), textsOf(keys)))
      .where('deleted_at', 'is', null)
      .groupBy(group);
  return {
    stored: prepared(stored),
    storedUnder: prepared(storedUnder),
    known: prepared(known),
    allColumns: prepared(allColumns),
    lowest: prepared(lowest),
  };
}

function writeStatements({ table, key }: Names) {
  const raise = (db: Db, { connection, keys, number }: UnderKeys & { number: number }) =>
    db
      .updateTable(table)
      .set({ read_number: number })
      .where('connection', '=', connection)
      .where((eb) => inList(eb.ref(key), textsOf(keys)));
  const tombstone = (db: Db, { connection, keys, number, at }: UnderKeys & { number: number; at: Instant }) =>
    db
      .updateTable(table)
      .set({ read_number: number, deleted_at: at, changed_at: at })
      .where('connection', '=', connection)
      .where((eb) => inList(eb.ref(key), textsOf(keys)));
  return { raise: prepared(raise), tombstone: prepared(tombstone) };
}

/** The type of the table that represents all others; numbers stay numbers. */
function textsOf(keys: RowKeys): readonly string[] {
  return keys as readonly string[];
}
