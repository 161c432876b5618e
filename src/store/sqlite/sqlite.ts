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
import { isDamage, isDiskFailure } from './integrity.ts';
import { Lease } from '../leases/lease.ts';
import { LeaseQueue } from '../leases/leaseQueue.ts';
import { portable } from '../queries/parameters.ts';
import { isBusy, retryBusy } from '../leases/patience.ts';
import { openChangeNumbers } from '../changes.ts';
import { openShortcut } from '../shortcut.ts';
import { SqliteChanges } from './sqliteChanges.ts';
import { SqliteCompiler } from './sqliteCompiler.ts';
import { closeSqliteFile } from './sqliteFile.ts';
import { StatementCache } from './statementCache.ts';

/**
 * Creates a kysely dialect on better-sqlite3 with our own driver: the stock one begins transactions that cannot keep
 * their write lock, prepares every statement again, runs migrations outside a transaction, and hangs for ever when a
 * transaction awaits the outer db.
 */
export function sqliteDialect(database: Database, more: SqliteOptions = {}): Dialect {
  return dialectOf(new SqliteDriver(database, more));
}

/** Opens a database whose prepared queries take the short path. */
export function openSqlite<DB>(database: Database, more: SqliteOptions = {}): Kysely<DB> {
  const driver = new SqliteDriver(database, more);
  const db = new Kysely<DB>({ dialect: dialectOf(driver) });
  openShortcut(db, (query) => driver.executeShortly(query));
  openChangeNumbers(db, driver.changes);
  return db;
}

/** Milliseconds between two attempts at work that another process blocks. */
const RETRY_MS = 20;

function dialectOf(driver: SqliteDriver): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteCompiler(),
  };
}

/** Callbacks about the state of the file. */
export interface FileWatch {
  /** Reports that a query met damage in the file, or a failing disk: no further query runs. */
  onTrouble?: ((error: Error) => void) | undefined;
  /** Reports a full disk once, and null once a write succeeds again. */
  onRefusal?: ((problem: string | null) => void) | undefined;
}

interface SqliteOptions extends FileWatch {
  /** Returns milliseconds that only grow; by default the machine's own. */
  monotonic?: (() => number) | undefined;
}

/** SQLite's DDL is transactional; kysely's adapter denies it, so a failed migration would stay half done. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class SqliteDriver implements Driver {
  readonly #database: Database;
  readonly #queue: LeaseQueue<SqliteLease>;
  /** What this connection and others have changed. */
  readonly changes: SqliteChanges;
  #closing = false;

  constructor(database: Database, { monotonic, ...watch }: SqliteOptions) {
    const file = new WatchedFile(database, watch);
    this.#database = database;
    this.changes = file.changes;
    this.#queue = new LeaseQueue(
      (): SqliteLease => new SqliteLease(file, (lease) => this.#queue.pause(lease, RETRY_MS), monotonic),
      (lease) => lease.rollback(),
      monotonic,
    );
  }

  async init(): Promise<void> {}

  acquireConnection(): Promise<DatabaseConnection> {
    return this.#queue.acquire();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await leaseOf(connection).begin();
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

  /** Runs one query outside any transaction, in its turn; undefined, and nothing has run, once the store closes. */
  executeShortly(query: CompiledQuery): Promise<QueryResult<unknown>> | undefined {
    if (this.#closing) return undefined;
    return this.#queue.atOnce((lease) => lease.executeNow(query)) ?? this.#executeInTurn(query);
  }

  async #executeInTurn(query: CompiledQuery): Promise<QueryResult<unknown>> {
    const lease = await this.#queue.acquire();
    try {
      return await lease.executeQuery(query);
    } finally {
      this.#queue.release(lease);
    }
  }

  /** Waits behind all earlier requests. */
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

/** The state that all holders of a connection share. */
class WatchedFile {
  readonly database: Database;
  readonly statements: StatementCache;
  readonly changes: SqliteChanges;
  readonly #watch: FileWatch;
  #lost: Error | undefined;
  #refuses = false;

  constructor(database: Database, watch: FileWatch) {
    this.database = database;
    this.statements = new StatementCache(database);
    this.changes = new SqliteChanges(database);
    this.#watch = watch;
  }

  /** Throws after a disk failure, because no answer is reliable until the file is opened again. */
  assertTrusted(): void {
    if (this.#lost) throw this.#lost;
  }

  failed(error: unknown): void {
    if (!(error instanceof Error) || this.#lost) return;
    if (isDiskFailure(error)) {
      this.#lost = new Error(`the disk has failed, and the database must be reopened: ${error.message}`, {
        cause: error,
      });
    }
    if (this.#lost || isDamage(error)) this.#watch.onTrouble?.(error);
    if ('code' in error && error.code === 'SQLITE_FULL' && !this.#refuses) {
      this.#refuses = true;
      this.#watch.onRefusal?.(error.message);
    }
  }

  written(): void {
    if (!this.#refuses) return;
    this.#refuses = false;
    this.#watch.onRefusal?.(null);
  }
}

export class SqliteLease extends Lease {
  readonly #file: WatchedFile;
  readonly #statements: StatementCache;
  readonly #rest: () => Promise<void>;
  readonly #monotonic: (() => number) | undefined;
  #wrote = false;

  /** @param rest lets the lease wait for another process */
  constructor(file: WatchedFile, rest: (lease: SqliteLease) => Promise<void>, monotonic?: () => number) {
    super();
    this.#file = file;
    this.#statements = file.statements;
    this.#rest = () => rest(this);
    this.#monotonic = monotonic;
  }

  protected override failed(error: unknown): void {
    this.#file.failed(error);
    super.failed(error);
  }

  protected override assertAllowed(): void {
    this.#file.assertTrusted();
    super.assertAllowed();
  }

  /** Takes the write lock at the start: a later one can fail, after work on stale reads. */
  async begin(): Promise<void> {
    try {
      this.#begin();
    } catch (error) {
      if (!isBusy(error)) throw error;
      await retryBusy(() => this.#begin(), this.#rest, this.#monotonic);
    }
  }

  #begin(): void {
    this.#file.assertTrusted();
    this.assertNotRevoked();
    this.#run('begin immediate');
    this.#wrote = false;
    this.begun();
  }

  commit(): void {
    this.assertAllowed();
    this.ending();
    this.#run('commit');
    this.ended();
    if (this.#wrote) this.#file.written();
  }

  #run(sql: string): void {
    try {
      this.#statements.get(sql).statement.run();
    } catch (error) {
      this.#file.failed(error);
      throw error;
    }
  }

  #changed(changes: number): void {
    if (changes === 0) return;
    if (this.inTransaction) this.#wrote = true;
    else this.#file.written();
  }

  /** Ignores an evicted lease: the transaction that is open by now belongs to another one. */
  rollback(): void {
    if (this.revoked) return;
    this.ending();
    // SQLite has rolled back by itself after some errors, a full disk for one.
    if (this.#file.database.inTransaction) this.#run('rollback');
    this.ended();
  }

  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // Not an async function: that would cost about as much as a small query.
    try {
      return Promise.resolve(this.#execute<R>(query));
    } catch (error) {
      // A transaction has its lock from the beginning.
      if (this.inTransaction || !isBusy(error)) return Promise.reject(error);
      return retryBusy(() => this.#execute<R>(query), this.#rest, this.#monotonic);
    }
  }

  /** Returns undefined, and nothing has run, if another process holds the database. */
  executeNow<R>(query: CompiledQuery): Promise<QueryResult<R>> | undefined {
    try {
      return Promise.resolve(this.#execute<R>(query));
    } catch (error) {
      return isBusy(error) ? undefined : Promise.reject(error);
    }
  }

  #execute<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    this.enter(sql);
    try {
      const { statement, makeRow, changesSchema, writes } = this.#statements.get(sql);
      const values = parameters.map(bindable);
      if (writes !== null) this.#file.changes.note(writes);
      // The caller states the type of a row, as everywhere in kysely.
      if (makeRow) return { rows: (statement.all(values) as unknown[][]).map(makeRow) as R[] };
      const { changes } = statement.run(values);
      this.#changed(changes);
      if (changesSchema) this.#statements.clear();
      return { rows: [], numAffectedRows: BigInt(changes) };
    } catch (error) {
      this.failed(error);
      throw error;
    }
  }

  /** Runs one statement for each item, with its values; returns the number of changed rows. */
  runEach<Item>(sql: string, items: readonly Item[], valuesOf: (item: Item) => unknown[]): number {
    this.enter(sql);
    try {
      const { statement, writes } = this.#statements.get(sql);
      if (writes !== null) this.#file.changes.note(writes);
      let changes = 0;
      for (const item of items) changes += statement.run(valuesOf(item).map(bindable)).changes;
      this.#changed(changes);
      return changes;
    } catch (error) {
      this.failed(error);
      throw error;
    }
  }
}

/**
 * Converts a value for binding. better-sqlite3 binds every number as a floating-point value: `5` would become `5.0` in
 * a text column or a JSON text, and `7 / ?` would not be whole. A list is one JSON parameter, see `inList`.
 */
function bindable(value: unknown): unknown {
  const plain = portable(value);
  if (typeof plain === 'number') return Number.isInteger(plain) ? BigInt(plain) : plain;
  return Array.isArray(plain) ? JSON.stringify(plain) : plain;
}
