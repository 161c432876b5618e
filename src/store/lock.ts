import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { messageOf, OperatorError } from '../kernel/errors.ts';
import { makeFolder } from './sealing/makeFolder.ts';
import { makePrivateFile, OWNER_ONLY_DIRECTORY } from './sealing/privateFile.ts';

interface DataDirLock {
  release(): void;
}

/** References that keep the databases open: the garbage collector would close an unreferenced one and end its lock. */
const held = new Set<Database.Database>();

/**
 * Locks the data directory (created if missing) for this process alone, until `release` or any end of the process: it
 * is a lock of the operating system. Throws OperatorError at once if another process has it.
 */
export function lockDataDir(dir: string): DataDirLock {
  const database = openLockFile(dir);
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    throw hasCode(error, 'SQLITE_BUSY')
      ? new OperatorError(
          `another stayd is running on ${dir}`,
          'Stop it first, or give this one its own STAYD_DATA_DIR.',
        )
      : cannotLock(dir, error);
  }
  held.add(database);
  return {
    release() {
      held.delete(database);
      database.close();
    },
  };
}

function openLockFile(dir: string): Database.Database {
  const file = join(dir, 'stayd.lock');
  try {
    makePrivateDirectory(dir);
    makePrivateFile(file);
    return new Database(file, { timeout: 0 });
  } catch (error) {
    throw cannotLock(dir, error);
  }
}

function makePrivateDirectory(dir: string): void {
  makeFolder(dir);
  try {
    chmodSync(dir, OWNER_ONLY_DIRECTORY);
  } catch (error) {
    // A container's volume may belong to another user and still be writable; the files in it are private.
    if (!hasCode(error, 'EPERM')) throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function cannotLock(dir: string, error: unknown): OperatorError {
  return new OperatorError(
    `cannot use ${dir} as the data directory: ${messageOf(error)}`,
    'It must be on a local disk and writable for the user that runs stayd.',
    error,
  );
}
