import { chmodSync, existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { messageOf, OperatorError } from '../../kernel/errors.ts';
import { isDamage, isDiskFailure } from './integrity.ts';
import { makePrivateFile, OWNER_ONLY_FILE } from '../sealing/privateFile.ts';

/** Milliseconds that SQLite waits on the one thread; longer waits happen beside it, see leases/patience.ts. */
const BUSY_TIMEOUT_MS = 10;
/** Pages after which a commit copies the -wal file into the database itself. */
const WAL_CHECKPOINT_PAGES = 1_000;
/** The same limit for a file that a thread checkpoints: only if the thread falls behind. */
const WAL_FALLBACK_PAGES = 16_000;
/** Bytes to which a checkpoint truncates the -wal file; between checkpoints a long reader can let it grow. */
const WAL_KEPT_BYTES = 64 * 1024 * 1024;
const SYNCHRONOUS_FULL = 2;
const IN_MEMORY = ':memory:';

/**
 * Opens a database with the settings that our promises rest on, and asserts each of them: SQLite silently ignores a
 * pragma that it cannot or will not follow.
 * @param isCheckpointed true if a thread copies the -wal file into the database (see checkpoints.ts)
 */
export function openSqliteFile(file: string, isCheckpointed = false): Database.Database {
  try {
    return openWithSettings(file, isCheckpointed ? WAL_FALLBACK_PAGES : WAL_CHECKPOINT_PAGES);
  } catch (error) {
    throw new OperatorError(
      `cannot open the database ${file}: ${messageOf(error)}`,
      'It must be a SQLite file on a local disk, in a directory that stayd may write to.',
      error,
    );
  }
}

function openWithSettings(file: string, checkpointPages: number): Database.Database {
  if (file !== IN_MEMORY) makePrivateFile(file);
  const database = new Database(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    if (file !== IN_MEMORY) settleLog(database);
    applySettings(database, file === IN_MEMORY ? 'memory' : 'wal', checkpointPages);
    restrictCompanions(file);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Moves the -wal file of an unclean end into the database. After a failed sync, the machine may show data from its
 * memory that the disk lacks; work on top of it would vanish with it at a loss of power. Written again and synced, it
 * is safe. The function does not wait for other readers.
 */
function settleLog(database: Database.Database): void {
  database.pragma('busy_timeout = 0');
  try {
    database.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY')) throw error;
  }
}

function applySettings(database: Database.Database, journal: 'wal' | 'memory', checkpointPages: number): void {
  const settings: Record<string, string | number> = {
    journal_mode: journal,
    // NORMAL may lose an event at a loss of power after its sender got the acknowledgement.
    synchronous: SYNCHRONOUS_FULL,
    busy_timeout: BUSY_TIMEOUT_MS,
    foreign_keys: 1,
    wal_autocheckpoint: checkpointPages,
    journal_size_limit: WAL_KEPT_BYTES,
  };
  for (const [name, value] of Object.entries(settings)) database.pragma(`${name} = ${value}`);
  for (const [name, value] of Object.entries(settings)) {
    const actual = database.pragma(name, { simple: true });
    if (actual !== value) throw new Error(`SQLite keeps ${name} = ${String(actual)} instead of ${value}`);
  }
}

/** New -wal and -shm files take the mode of the database; this is for those of an earlier run. */
function restrictCompanions(file: string): void {
  for (const companion of [`${file}-wal`, `${file}-shm`]) {
    if (existsSync(companion)) chmodSync(companion, OWNER_ONLY_FILE);
  }
}

/** Moves everything into the main file, so that a copy of it alone is complete, and closes. */
export function closeSqliteFile(database: Database.Database): void {
  if (!database.open) return;
  try {
    // A reader in another process may keep the -wal file busy; then it remains, and nothing is lost.
    database.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    // A damaged file can only be left alone; after a disk failure the next start does this.
    if (!isDamage(error) && !isDiskFailure(error)) throw error;
  } finally {
    database.close();
  }
}
