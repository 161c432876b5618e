import type { Database } from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
} from 'kysely';
import { isDamage } from './integrity.ts';
import { Lease } from './lease.ts';
import { LeaseQueue } from './leaseQueue.ts';
import { portable } from './parameters.ts';
import { openShortcut } from './shortcut.ts';
import { SqliteCompiler } from './sqliteCompiler.ts';
import { closeSqliteFile } from './sqliteFile.ts';
import { StatementCache } from './statementCache.ts';

/**
 * kysely on better-sqlite3, with our own driver: the stock one begins transactions that cannot keep their
 * write lock, prepares every statement again, runs migrations outside a transaction, and hangs for ever
 * when a transaction awaits the outer db.
 */
export function sqliteDialect(database: Database, more: SqliteOptions = {}): Dialect {
  return dialectOf(new SqliteDriver(database, more));
}

/** The same as a database whose prepared queries take the short way. */
export function openSqlite<DB>(database: Database, more: SqliteOptions = {}): Kysely<DB> {
  const driver = new SqliteDriver(database, more);
  const db = new Kysely<DB>({ dialect: dialectOf(driver) });
  openShortcut(db, (query) => driver.executeAtOnce(query));
  return db;
}

function dialectOf(driver: SqliteDriver): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteCompiler(),
  };
}

type OnDamage = (error: Error) => void;

export interface SqliteOptions {
  /** Milliseconds that only grow; by default the machine's own. */
  monotonic?: (() => number) | undefined;
  /** Told when a query meets damage in the file. */
  onDamage?: OnDamage | undefined;
}

/** SQLite's DDL is transactional; kysely's adapter says no, so that a failed migration would stay half done. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class SqliteDriver implements Driver {
  readonly #database: Database;
  readonly #queue: LeaseQueue<SqliteLease>;
  #closing = false;

  constructor(database: Database, { monotonic, onDamage }: SqliteOptions) {
    const statements = new StatementCache(database);
    this.#database = database;
    this.#queue = new LeaseQueue(
      () => new SqliteLease(database, statements, onDamage),
      (lease) => lease.rollback(),
      monotonic,
    );
  }

  async init(): Promise<void> {}

  acquireConnection(): Promise<DatabaseConnection> {
    return this.#queue.acquire();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    leaseOf(connection).begin();
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    leaseOf(connection).commit();
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    leaseOf(connection).rollback();
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#queue.release(leaseOf(connection));
  }

  /** One query outside any transaction; undefined, and nothing has run, when it would have to wait. */
  executeAtOnce(query: CompiledQuery): Promise<QueryResult<unknown>> | undefined {
    return this.#closing ? undefined : this.#queue.atOnce((lease) => lease.executeQuery(query));
  }

  /** Waits its turn behind everything that was asked for before. */
  async destroy(): Promise<void> {
    this.#closing = true;
    const lease = await this.#queue.acquire();
    closeSqliteFile(this.#database);
    this.#queue.release(lease);
  }
}

function leaseOf(connection: DatabaseConnection): SqliteLease {
  if (connection instanceof SqliteLease) return connection;
  throw new Error('this connection is not from the SQLite driver');
}

export class SqliteLease extends Lease {
  readonly #database: Database;
  readonly #statements: StatementCache;
  readonly #onDamage: OnDamage | undefined;

  constructor(database: Database, statements: StatementCache, onDamage?: OnDamage) {
    super();
    this.#database = database;
    this.#statements = statements;
    this.#onDamage = onDamage;
  }

  protected override failed(error: unknown): void {
    if (error instanceof Error && isDamage(error)) this.#onDamage?.(error);
    super.failed(error);
  }

  /** With the write lock from the start: one taken later can fail, after work was done on stale reads. */
  begin(): void {
    this.assertNotRevoked();
    this.#statements.get('begin immediate').statement.run();
    this.begun();
  }

  commit(): void {
    this.assertAllowed();
    this.ending();
    this.#statements.get('commit').statement.run();
    this.ended();
  }

  /** Leaves an evicted lease alone: the transaction that is open by now would be somebody else's. */
  rollback(): void {
    if (this.revoked) return;
    this.ending();
    // SQLite has rolled back by itself after some errors, a full disk for one.
    if (this.#database.inTransaction) this.#statements.get('rollback').statement.run();
    this.ended();
  }

  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // Not an async function: that would cost about as much as a small query.
    try {
      return Promise.resolve(this.#execute<R>(query));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #execute<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    this.enter(sql);
    try {
      const { statement, columns, changesSchema } = this.#statements.get(sql);
      const values = parameters.map(bindable);
      // What a row looks like is the caller's word, as everywhere in kysely.
      if (columns) return { rows: rowsOf(columns, statement.all(values) as unknown[][]) as R[] };
      const { changes } = statement.run(values);
      if (changesSchema) this.#statements.clear();
      return { rows: [], numAffectedRows: BigInt(changes) };
    } catch (error) {
      this.failed(error);
      throw error;
    }
  }

  /** Runs one statement for each item, with the values it gives; returns the number of rows changed. */
  runEach<Item>(sql: string, items: readonly Item[], valuesOf: (item: Item) => unknown[]): number {
    this.enter(sql);
    try {
      const { statement } = this.#statements.get(sql);
      let changes = 0;
      for (const item of items) changes += statement.run(valuesOf(item).map(bindable)).changes;
      return changes;
    } catch (error) {
      this.failed(error);
      throw error;
    }
  }
}

/** The driver makes lists of values twice as fast as objects, which also stay slow to read. */
function rowsOf(columns: readonly string[], lists: readonly (readonly unknown[])[]): Record<string, unknown>[] {
  return lists.map((values) => {
    const row: Record<string, unknown> = {};
    let index = 0;
    for (const column of columns) row[column] = values[index++];
    return row;
  });
}

/**
 * better-sqlite3 binds every number as a floating-point value: `5` would become `5.0` in a text column or
 * a JSON text, and `7 / ?` would not be whole. A list is one JSON parameter, see `inList`.
 */
function bindable(value: unknown): unknown {
  const plain = portable(value);
  if (typeof plain === 'number') return Number.isInteger(plain) ? BigInt(plain) : plain;
  return Array.isArray(plain) ? JSON.stringify(plain) : plain;
}
