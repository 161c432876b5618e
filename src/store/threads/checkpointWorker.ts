import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { systemClock, type Timer } from '../../kernel/clock.ts';

/** Milliseconds between two looks at the -wal files. */
const PERIOD_MS = 100;
/**
 * Pages of 4 KiB in the -wal file after which they are copied and the file is restarted, which delays writers for the
 * rest of the copy. A page that many commits have changed meanwhile is copied once: with a copy at each look, an import
 * wrote half as much again.
 */
const MANY_PAGES = 4_000;
/** Looks without a new page after which fewer pages are copied too. */
const QUIET_LOOKS = 20;
const FEW_PAGES = 300;
const MOST_PASSES = 5;
/** Pages after which a -wal file that a reader has let grow is truncated once that is possible: 64 MB. */
const LARGE_PAGES = 16_000;

interface CheckpointRow {
  busy: number;
  /** Pages in the -wal file, and the number of them that the database has. */
  log: number;
  checkpointed: number;
}

const databases = (workerData as string[]).map((file) => {
  const database = new Database(file, { fileMustExist: true, timeout: PERIOD_MS });
  return {
    database,
    state: database.prepare<[], CheckpointRow>('pragma wal_checkpoint(noop)'),
    copy: database.prepare<[], CheckpointRow>('pragma wal_checkpoint(passive)'),
    seen: { log: 0, looks: 0 },
  };
});

function checkpoint({ database, state, copy, seen }: (typeof databases)[number]): void {
  let row = state.get();
  if (!row) return;
  seen.looks = row.log === seen.log ? seen.looks + 1 : 0;
  seen.log = row.log;
  if (row.log < MANY_PAGES) {
    if (seen.looks === QUIET_LOOKS && row.checkpointed < row.log) copy.get();
    return;
  }
  // Writers continue during a pass; each pass leaves less for the last one, which delays them.
  for (let pass = 0; pass < MOST_PASSES && row && row.log - row.checkpointed > FEW_PAGES; pass += 1) row = copy.get();
  database.pragma(row && row.log > LARGE_PAGES ? 'wal_checkpoint(truncate)' : 'wal_checkpoint(restart)');
}

function look(): Timer {
  return systemClock.setTimer(PERIOD_MS, () => {
    for (const one of databases) {
      try {
        checkpoint(one);
      } catch {
        // A database that is busy or closing gets its turn a moment later.
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
