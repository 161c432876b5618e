import { closeSync, openSync, readSync, existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { threadFile } from '../../kernel/program/threadFile.ts';

const BUSY_TIMEOUT_MS = 30_000;
const CHUNK_BYTES = 4 * 1024 * 1024;
/** Milliseconds to wait for other readers or a checkpoint that keep the log from being emptied. */
const PASS_MS = 100;
const MOST_PASSES = 300;

/** The work on a database file. */
export interface Rewriting {
  file: string;
  /** Texts that must leave no trace. */
  strings: readonly string[];
}

/**
 * Rewrites a SQLite database, so that its files, the write-ahead log included, contain nothing that was deleted or
 * replaced. SQLite alone leaves old bytes in free pages, and in gaps of used pages. Blocks its thread, and every
 * writer, for about as long as a copy of the file takes.
 * @returns the number of remaining occurrences of each text
 */
export function rewriteFile({ file, strings }: Rewriting): number[] {
  const database = new Database(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    database.exec('vacuum');
    emptyLog(database);
  } finally {
    database.close();
  }
  const counts = strings.map(() => 0);
  for (const path of [file, `${file}-wal`]) {
    if (existsSync(path)) countIn(path, strings, counts);
  }
  return counts;
}

function emptyLog(database: Database.Database): void {
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  for (let pass = 1; pass <= MOST_PASSES; pass += 1) {
    const [row] = database.pragma('wal_checkpoint(truncate)') as { busy: number }[];
    if (row?.busy === 0) return;
    Atomics.wait(nobody, 0, 0, PASS_MS);
  }
  throw new Error('a reader in another process keeps the write-ahead log');
}

function countIn(path: string, strings: readonly string[], counts: number[]): void {
  const needles = strings.map((text) => Buffer.from(text, 'utf8'));
  const overlap = Math.max(0, ...needles.map((needle) => needle.length - 1));
  const buffer = Buffer.alloc(overlap + CHUNK_BYTES);
  const descriptor = openSync(path, 'r');
  try {
    for (let kept = 0; ;) {
      const read = readSync(descriptor, buffer, kept, CHUNK_BYTES, null);
      if (read === 0) return;
      const part = buffer.subarray(0, kept + read);
      needles.forEach((needle, index) => {
        // A match within the overlap was counted in the part before.
        for (let at = part.indexOf(needle); at !== -1; at = part.indexOf(needle, at + 1)) {
          if (at + needle.length > kept) counts[index] = (counts[index] ?? 0) + 1;
        }
      });
      const tail = part.subarray(Math.max(0, part.length - overlap));
      kept = tail.copy(buffer);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Runs {@link rewriteFile} in a worker thread. */
export function rewriteInBackground(rewriting: Rewriting): Promise<number[]> {
  const worker = new Worker(threadFile('store/threads/rewriteWorker'), { workerData: rewriting });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}
