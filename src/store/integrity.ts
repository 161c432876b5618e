import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { messageOf } from '../kernel/errors.ts';
import { threadFile } from './threadFile.ts';

/**
 * What SQLite's `quick_check` finds wrong with a database file; empty when it is sound. Reads the whole file
 * and blocks its thread meanwhile, so it belongs in a worker thread. Throws when there is no such file.
 */
export function checkIntegrity(file: string): string[] {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const lines = database.prepare<[], string>('pragma quick_check').pluck().all();
    return lines.length === 1 && lines[0] === 'ok' ? [] : lines;
  } catch (error) {
    // So broken that the check itself cannot read it.
    return [messageOf(error)];
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
