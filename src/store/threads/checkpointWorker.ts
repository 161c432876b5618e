import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { systemClock, type Timer } from '../../kernel/clock.ts';

/** How often the -wal files are looked at, in ms. */
const PERIOD_MS = 100;
/** Of 4 KiB: from here on the -wal file is made to begin anew, which holds up writers for what is left to copy. */
const MANY_PAGES = 4_000;
const FEW_PAGES = 300;
const MOST_PASSES = 5;
/** A -wal file that a reader has let grow so far is cut off once it can be: 64 MB. */
const LARGE_PAGES = 16_000;

interface CheckpointRow {
  busy: number;
  /** Pages in the -wal file, and how many of them the database has by now. */
  log: number;
  checkpointed: number;
}

const databases = (workerData as string[]).map((file) => {
  const database = new Database(file, { fileMustExist: true, timeout: PERIOD_MS });
  return { database, state: database.prepare<[], CheckpointRow>('pragma wal_checkpoint(passive)') };
});

function checkpoint({ database, state }: (typeof databases)[number]): void {
  let row = state.get();
  if (!row || row.log < MANY_PAGES) return;
  // While one pass copies, writers go on; each leaves less for the last, which holds them up.
  for (let pass = 1; pass < MOST_PASSES && row && row.log - row.checkpointed > FEW_PAGES; pass += 1) row = state.get();
  database.pragma(row && row.log > LARGE_PAGES ? 'wal_checkpoint(truncate)' : 'wal_checkpoint(restart)');
}

function look(): Timer {
  return systemClock.setTimer(PERIOD_MS, () => {
    for (const one of databases) {
      try {
        checkpoint(one);
      } catch {
        // A database that is busy, or just being closed, has its turn again in a moment.
      }
    }
    timer = look();
  });
}

let timer = look();

parentPort?.once('message', () => {
  timer.cancel();
  for (const { database } of databases) database.close();
  parentPort?.close();
});
