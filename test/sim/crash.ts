import { copyFileSync, existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
} from 'kysely';
import { openShortcut } from '../../src/store/shortcut.ts';
import { sqliteDialect } from '../../src/store/sqlite/sqlite.ts';
import { openSqliteFile } from '../../src/store/sqlite/sqliteFile.ts';
import type { Store } from '../../src/store/store.ts';

/** The places where a process can end: before and after each commit, and round each call to the outside. */
export type CrashPoint = 'before commit' | 'after commit' | 'before request' | 'after answer';

/** Decides where a process ends. From then on it is as if it had never gone on: nothing it awaits ever comes. */
export interface CrashPlan {
  /** @returns whether the process ends here */
  reached(point: CrashPoint): boolean;
  /** Runs at the moment the process ends, before anything else can happen. */
  end(): void;
  readonly isOver: boolean;
}

export const noCrash: CrashPlan = { reached: () => false, end() {}, isOver: false };

/** What a dead process awaits. */
export function never<T>(): Promise<T> {
  return new Promise<T>(() => {});
}

/** The moment of a point: ends the process or lets it go on. @returns whether it has ended */
export function passes(plan: CrashPlan, point: CrashPoint): boolean {
  if (plan.isOver) return false;
  if (!plan.reached(point)) return true;
  plan.end();
  return false;
}

/** Copies what a sudden end leaves behind: the file, and what the write-ahead log holds. */
export function copyAfterEnd(file: string, next: string): void {
  for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) copyFileSync(file + suffix, next + suffix);
  // What the next start would do with the log, without waiting for the disk.
  const database = new Database(next);
  database.pragma('synchronous = OFF');
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
}

export interface SimStore<DB> extends Store<DB> {
  readonly database: Database.Database;
}

/** A store on a real SQLite file, of a process that may end at any of its commits. */
export function openSimStore<DB>(file: string, monotonic: () => number, plan: CrashPlan): SimStore<DB> {
  const database = openSqliteFile(file);
  // Durability against the loss of power is proven elsewhere; here it would only cost time.
  database.pragma('synchronous = OFF');
  const dialect = sqliteDialect(database, { monotonic });
  const driver = dialect.createDriver() as AtOnceDriver;
  const mortal: Dialect = { ...dialect, createDriver: () => new MortalDriver(driver, database, plan) };
  const db = new Kysely<DB>({ dialect: mortal });
  // Prepared queries take the short way, as they do outside of the simulation.
  openShortcut(db, (query) => {
    if (plan.isOver) return never();
    // What writes goes the long way, which knows its commit.
    return WRITES.has(query.query.kind) ? undefined : driver.executeShortly(query);
  });
  return {
    kind: 'sqlite',
    database,
    db,
    transaction: (work) => db.transaction().execute(work),
    exclusively: (job) => job(),
    close: () => db.destroy(),
  };
}

interface AtOnceDriver extends Driver {
  executeShortly(query: CompiledQuery): Promise<QueryResult<unknown>> | undefined;
}

class MortalDriver implements Driver {
  readonly #inner: Driver;
  readonly #database: Database.Database;
  readonly #plan: CrashPlan;

  constructor(inner: Driver, database: Database.Database, plan: CrashPlan) {
    this.#inner = inner;
    this.#database = database;
    this.#plan = plan;
  }

  init(): Promise<void> {
    return this.#inner.init();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#plan.isOver) return never();
    const connection = await this.#inner.acquireConnection();
    return this.#plan.isOver ? never() : this.#mortal(connection);
  }

  beginTransaction(connection: DatabaseConnection, settings: Parameters<Driver['beginTransaction']>[1]): Promise<void> {
    return this.#inner.beginTransaction(connection, settings);
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return committing(this.#plan, () => this.#inner.commitTransaction(connection));
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#plan.isOver ? never() : this.#inner.rollbackTransaction(connection);
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return this.#plan.isOver ? never() : this.#inner.releaseConnection(connection);
  }

  destroy(): Promise<void> {
    return this.#inner.destroy();
  }

  /** A statement that writes outside a transaction commits by itself. Each holder has a connection object of its own. */
  #mortal(connection: DatabaseConnection): DatabaseConnection {
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = <R>(query: CompiledQuery) => {
      if (this.#plan.isOver) return never();
      const writes = WRITES.has(query.query.kind) && !this.#database.inTransaction;
      return writes ? committing(this.#plan, () => execute<R>(query)) : execute<R>(query);
    };
    return connection;
  }
}

const WRITES: ReadonlySet<string> = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode']);

async function committing<T>(plan: CrashPlan, commit: () => Promise<T>): Promise<T> {
  if (!passes(plan, 'before commit')) return never();
  const result = await commit();
  return passes(plan, 'after commit') ? result : never();
}
