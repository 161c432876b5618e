import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { messageOf } from '../../kernel/errors.ts';
import { threadFile } from '../../kernel/program/threadFile.ts';

/** Returns true if an error means that a file differs from what SQLite wrote. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB' || isDamage(error.cause);
}

/** Codes that mean that the machine could not read or write a file, whatever its contents. */
const DISK_FAILURES: ReadonlySet<string> = new Set(
  ['', '_READ', '_WRITE', '_FSYNC', '_DIR_FSYNC', '_TRUNCATE', '_FSTAT', '_DATA', '_CORRUPTFS'].map(
    (kind) => `SQLITE_IOERR${kind}`,
  ),
);

/**
 * Returns true if an error means a disk failure. A full disk is none: that is SQLITE_FULL. After a failed sync the
 * contents of the disk are unknown, and the machine may show from its memory what the disk lacks.
 */
export function isDiskFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && DISK_FAILURES.has(String(error.code))) || isDiskFailure(error.cause);
}

/**
 * Returns the findings of SQLite's `quick_check`; empty for a sound file. Reads the whole file and blocks its thread,
 * so use a worker thread. Throws if the file cannot be read at all.
 */
export function checkIntegrity(file: string): string[] {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const lines = database.prepare<[], string>('pragma quick_check').pluck().all();
    return lines.length === 1 && lines[0] === 'ok' ? [] : lines;
  } catch (error) {
    // The file is so damaged that the check itself cannot read it.
    if (isDamage(error)) return [messageOf(error)];
    throw error;
  } finally {
    database.close();
  }
}

/**
 * Runs {@link checkIntegrity} in a worker thread, so that the service continues to answer.
 * @param isAwaited false if the process may end before
 */
export function checkInBackground(file: string, { isAwaited }: { isAwaited: boolean }): Promise<string[]> {
  const worker = new Worker(threadFile('store/threads/integrityWorker'), { workerData: file });
  if (!isAwaited) worker.unref();
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** Returns the rows of a query on a damaged file; none if they cannot be read. Their contents may be wrong. */
export function readWhatCan<Row>(file: string, question: string): Row[] {
  try {
    const database = new Database(file, { readonly: true, fileMustExist: true });
    try {
      return database.prepare<[], Row>(question).all();
    } finally {
      database.close();
    }
  } catch {
    // Unreadable rows are expected here.
    return [];
  }
}
