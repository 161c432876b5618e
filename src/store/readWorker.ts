import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { messageOf } from '../kernel/errors.ts';

/** How long a reader waits for whoever is just opening or closing the database. */
const BUSY_MS = 5_000;

const database = new Database(workerData as string, { readonly: true, fileMustExist: true, timeout: BUSY_MS });

parentPort?.on('message', (asked: { text: string; values: readonly string[] }) => {
  try {
    parentPort?.postMessage({ rows: rowsOf(asked) });
  } catch (error) {
    parentPort?.postMessage({ problem: messageOf(error) });
  }
});

/** `$1` is a name to SQLite, which it has to be given with its value. */
function rowsOf({ text, values }: { text: string; values: readonly string[] }): unknown[] {
  const named = Object.fromEntries(values.map((value, index) => [String(index + 1), value]));
  const statement = database.prepare(text);
  return values.length > 0 ? statement.all(named) : statement.all();
}
