import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { messageOf } from '../../kernel/errors.ts';
import { threadFile } from '../threads/threadFile.ts';

/** Whether an error says that a file is not what SQLite has written to it. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB' || isDamage(error.cause);
}

/** What says that the machine could not read or write a file, whatever stands in it. */
const DISK_FAILURES: ReadonlySet<string> = new Set(
  ['', '_READ', '_WRITE', '_FSYNC', '_DIR_FSYNC', '_TRUNCATE', '_FSTAT', '_DATA', '_CORRUPTFS'].map(
    (kind) => `SQLITE_IOERR${kind}`,
  ),
);

/**
 * Whether an error says that the disk has failed. A full one has not: that is SQLITE_FULL. After a sync that failed
 * nobody knows what is on the disk, and the machine may show from its memory what is not.
 */
export function isDiskFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && DISK_FAILURES.has(String(error.code))) || isDiskFailure(error.cause);
}

/**
 * What SQLite's `quick_check` finds wrong with a database file; empty when it is sound. Reads the whole file
 * and blocks its thread meanwhile, so it belongs in a worker thread. Throws when the file cannot be read at all.
 */
export function checkIntegrity(file: string): string[] {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const lines = database.prepare<[], string>('pragma quick_check').pluck().all();
    return lines.length === 1 && lines[0] === 'ok' ? [] : lines;
  } catch (error) {
    // So broken that the check itself cannot read it.
    if (isDamage(error)) return [messageOf(error)];
    throw error;
  } finally {
    database.close();
  }
}

/** The same from a thread of its own, so that the service goes on answering meanwhile. */
export function checkInBackground(file: string): Promise<string[]> {
  const worker = new Worker(threadFile('integrityWorker'), { workerData: file });
  worker.unref();
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** The rows of a question to a damaged file; none when they cannot be read. What they say may be wrong. */
export function readWhatCan<Row>(file: string, question: string): Row[] {
  try {
    const database = new Database(file, { readonly: true, fileMustExist: true });
    try {
      return database.prepare<[], Row>(question).all();
    } finally {
      database.close();
    }
  } catch {
    // That it cannot be read is why it is asked this way.
    return [];
  }
}
