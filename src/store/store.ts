import { Kysely, sql, type Transaction } from 'kysely';
import { sleep, systemClock } from '../kernel/clock.ts';
import { systemRandom } from '../kernel/random.ts';
import type { StoreKind } from './kind.ts';
import { openPostgres, type Schema } from './postgres.ts';
import { isDamage, isDiskFailure } from './sqlite/integrity.ts';
import { type FileWatch, openSqlite, SqliteLease } from './sqlite/sqlite.ts';
import { openSqliteFile } from './sqlite/sqliteFile.ts';

export type { StoreKind } from './kind.ts';

const TRANSACTION_ATTEMPTS = 5;
const RETRY_PAUSE_MS = 20;

/** An open database: SQLite in one file, or one schema of a PostgreSQL database. */
export interface Store<DB> {
  readonly kind: StoreKind;
  /** For single reads and writes, each a transaction of its own. Never use it inside `transaction`. */
  readonly db: Kysely<DB>;
  /**
   * Runs `work` in one transaction: commits when it returns, rolls back when it throws.
   *
   * `work` uses `trx` alone and awaits nothing but its own queries; on SQLite anything else is rolled back and throws.
   * A failing query fails the whole transaction, even if its error is caught: if a row may exist already, use `on
   * conflict`. On PostgreSQL `work` runs again after a deadlock or a serialization failure, so it must not change
   * anything outside the database.
   */
  transaction<T>(work: (trx: Transaction<DB>) => Promise<T>): Promise<T>;
  /**
   * Runs `job` while no other code of this process queries the database; queries wait meanwhile. For work that another
   * connection does on the whole file, so that no query meets its locks.
   */
  exclusively<T>(job: () => Promise<T>): Promise<T>;
  /** Waits for running work, then closes. On SQLite the file alone is then a complete copy. */
  close(): Promise<void>;
}

export type StoreLocation =
  | ({
      kind: 'sqlite';
      /** A path, or `:memory:`. */
      file: string;
      /** True if {@link checkpointInBackground} checkpoints the file. */
      checkpointed?: boolean;
    } & FileWatch)
  | { kind: 'postgres'; url: string; schema: Schema };

/** Opens a database and proves that it answers. Throws OperatorError if it cannot be used. */
export async function openStore<DB>(location: StoreLocation): Promise<Store<DB>> {
  const db = await open<DB>(location);
  // kysely closes only a connection that it has used once.
  await sql`select 1`.execute(db);
  const run = <T>(work: (trx: Transaction<DB>) => Promise<T>) => db.transaction().execute(work);
  return {
    kind: location.kind,
    db,
    transaction: location.kind === 'sqlite' ? run : (work) => retrying(() => run(work)),
    exclusively: (job) => (location.kind === 'sqlite' ? holding(db, job) : job()),
    close: () => db.destroy(),
  };
}

function holding<DB, T>(db: Kysely<DB>, job: () => Promise<T>): Promise<T> {
  return db.connection().execute((held) =>
    held.getExecutor().provideConnection((lease) => {
      if (!(lease instanceof SqliteLease)) throw new Error('this connection is not from the SQLite driver');
      lease.mayWait = true;
      return job();
    }),
  );
}

async function open<DB>(location: StoreLocation): Promise<Kysely<DB>> {
  if (location.kind === 'postgres') return new Kysely({ dialect: await openPostgres(location.url, location.schema) });
  const { file, checkpointed, onTrouble, onRefusal } = location;
  try {
    return openSqlite(openSqliteFile(file, checkpointed), { onTrouble, onRefusal });
  } catch (error) {
    if (error instanceof Error && (isDiskFailure(error) || isDamage(error))) onTrouble?.(error);
    throw error;
  }
}

async function retrying<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tries === TRANSACTION_ATTEMPTS || !isCollision(error)) throw error;
    }
    // Jitter separates two transactions that met, so that they do not meet again.
    await sleep(systemClock, RETRY_PAUSE_MS * tries * systemRandom.fraction());
  }
}

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

/** Returns true if two transactions collided and this one was undone: the same work may succeed now. */
function isCollision(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && (error.code === SERIALIZATION_FAILURE || error.code === DEADLOCK_DETECTED)) return true;
  return isCollision(error.cause);
}
