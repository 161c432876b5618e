import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import pg from 'pg';
import { messageOf, OperatorError } from '../kernel/errors.ts';
import { Lease } from './leases/lease.ts';
import { portable } from './queries/parameters.ts';

/** Connections of each process. A server allows 100 by default, and stayd runs as a handful of processes at most. */
const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 30_000;
/**
 * Milliseconds. A process that vanished during a transaction must not hold its row locks until TCP notices, hours
 * later.
 */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;

export type Schema = 'core' | 'mirror';

/** Connects, creates a missing schema, and returns a kysely dialect that works in that schema. */
export async function openPostgres(url: string, schema: Schema): Promise<Dialect> {
  const pool = makePool(url);
  try {
    await prepareDatabase(pool, schema);
  } catch (error) {
    await pool.end();
    // The url stays out of the message: it contains the password.
    throw new OperatorError(
      `cannot use the PostgreSQL database for schema ${schema}: ${reasonOf(error)}`,
      'Look at STAYD_DATABASE_URL: server, database, user, password, and the right to create a schema.',
      error,
    );
  }
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PostgresDriver(pool, schema),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/** Joins the reasons. A host with several addresses gives one error for each, and no text for all. */
function reasonOf(error: unknown): string {
  return error instanceof AggregateError ? error.errors.map(messageOf).join('; ') : messageOf(error);
}

function makePool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    types: { getTypeParser },
  });
  // An 'error' event without a listener ends the process. A lost connection fails its query, or nothing if it is idle;
  // the pool drops it and opens another.
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

function ignore(): void {}

const { BOOL, INT8, NUMERIC } = pg.types.builtins;

/** Parsers that return rows as SQLite does: whole numbers as numbers, booleans as 0 and 1. */
const ownParsers = new Map<number, (text: string) => number>([
  [BOOL, (text) => (text === 't' ? 1 : 0)],
  [INT8, exactNumber],
  [NUMERIC, exactNumber],
]);

const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  (format === 'binary' ? undefined : ownParsers.get(oid)) ?? pg.types.getTypeParser(oid, format);

function exactNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
    throw new RangeError(`${text} from the database is beyond the integers that a number holds exactly`);
  }
  return number;
}

async function prepareDatabase(pool: pg.Pool, schema: Schema): Promise<void> {
  const { rows } = await pool.query<{ encoding: string; schema: string | null }>(
    `select current_setting('server_encoding') as encoding, to_regnamespace($1)::text as schema`,
    [schema],
  );
  if (rows[0]?.encoding !== 'UTF8') throw new Error('its encoding is not UTF8');
  // Searched first: `create schema if not exists` needs the right to create even if there is nothing to do.
  if (rows[0].schema === null) await createSchema(pool, schema);
}

async function createSchema(pool: pg.Pool, schema: Schema): Promise<void> {
  try {
    await pool.query(`create schema if not exists ${schema}`);
  } catch (error) {
    // `if not exists` does not cover a concurrent creation by another process.
    const { rowCount } = await pool.query('select 1 from pg_namespace where nspname = $1', [schema]);
    if (rowCount === 0) throw error;
  }
}

class PostgresDriver implements Driver {
  readonly #pool: pg.Pool;
  readonly #schema: Schema;
  readonly #ready = new WeakSet<pg.PoolClient>();
  #leases = 0;
  #allReturned: (() => void) | undefined;

  constructor(pool: pg.Pool, schema: Schema) {
    this.#pool = pool;
    this.#schema = schema;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#leases += 1;
    try {
      const client = await this.#pool.connect();
      if (!this.#ready.has(client)) await this.#makeReady(client);
      return new PostgresLease(client);
    } catch (error) {
      this.#countDown();
      throw error;
    }
  }

  /** Sets this here and not as a start-up option, which an `?options=` in the operator's url would replace. */
  async #makeReady(client: pg.PoolClient): Promise<void> {
    try {
      await client.query(`set search_path to ${this.#schema}`);
      this.#ready.add(client);
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await leaseOf(connection).begin();
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await leaseOf(connection).commit();
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await leaseOf(connection).rollback();
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    leaseOf(connection).release();
    this.#countDown();
  }

  /** Waits for all holders and waiters of connections: the pool would never answer the waiters. */
  async destroy(): Promise<void> {
    if (this.#leases > 0) await new Promise<void>((resolve) => (this.#allReturned = resolve));
    await this.#pool.end();
  }

  #countDown(): void {
    this.#leases -= 1;
    if (this.#leases === 0) this.#allReturned?.();
  }
}

function leaseOf(connection: DatabaseConnection): PostgresLease {
  if (connection instanceof PostgresLease) return connection;
  throw new Error('this connection is not from the PostgreSQL driver');
}

const COUNTED: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

class PostgresLease extends Lease {
  readonly #client: pg.PoolClient;

  constructor(client: pg.PoolClient) {
    super();
    this.#client = client;
  }

  async begin(): Promise<void> {
    this.assertNotRevoked();
    await this.#client.query('begin');
    this.begun();
  }

  async commit(): Promise<void> {
    this.assertAllowed();
    this.ending();
    await this.#client.query('commit');
    this.ended();
  }

  /**
   * Never throws: the server rolls back after a lost connection, and the caller should see the first error, not this
   * one.
   */
  async rollback(): Promise<void> {
    this.ending();
    try {
      await this.#client.query('rollback');
      this.ended();
    } catch {
      // The transaction still counts as open, so release() closes the connection instead of passing it on.
    }
  }

  release(): void {
    this.#client.release(this.inTransaction);
  }

  override async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    this.enter(sql);
    try {
      const { command, rowCount, rows } = await this.#client.query(sql, parameters.map(portable));
      if (COUNTED.has(command)) return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
      return { rows };
    } catch (error) {
      this.failed(error);
      // The error's own stack ends in the socket's reader; this one names the caller.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }
}
