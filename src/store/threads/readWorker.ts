import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { messageOf } from '../../kernel/errors.ts';

/** Milliseconds that a reader waits while another process opens or closes the database. */
const BUSY_MS = 5_000;

interface Asked {
  text: string;
  values: readonly string[];
}

let database: Database.Database | undefined;

parentPort?.on('message', (asked: Asked) => {
  try {
    database ??= new Database(workerData as string, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
    parentPort?.postMessage({ rows: rowsOf(database, asked) });
  } catch (error) {
    // SQLite's errors do not survive the way to another thread; their text does.
    parentPort?.postMessage({ problem: messageOf(error) });
  }
});

/** Returns the rows. `$1` is a name to SQLite, so its values are passed by name. */
function rowsOf(file: Database.Database, { text, values }: Asked): unknown[] {
  const named = Object.fromEntries(values.map((value, index) => [String(index + 1), value]));
  const statement = file.prepare(text);
  return values.length > 0 ? statement.all(named) : statement.all();
}
