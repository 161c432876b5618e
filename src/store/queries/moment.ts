import Database from 'better-sqlite3';
import type { StoreLocation } from '../store.ts';
import type { Moment } from './momentReader.ts';

/** Milliseconds that a reader waits while another process opens or closes the database. */
const BUSY_MS = 5_000;

/**
 * Opens a database for a long read. On SQLite queries block the thread, so use a worker thread; the -wal file only
 * grows meanwhile.
 */
async function openMoment(location: StoreLocation): Promise<Moment> {
  if (location.kind === 'sqlite') return sqliteMoment(location.file);
  // Loaded only here, because a thread that reads SQLite starts in half the time without it.
  const { postgresMoment } = await import('./postgresMoment.ts');
  return postgresMoment(location);
}

/**
 * Runs `work` with queries of one moment. Meanwhile SQLite retains all writes of others in its -wal file, so do
 * dependent writes afterwards.
 */
export async function atMoment<T>(location: StoreLocation, work: (reader: Moment) => Promise<T>): Promise<T> {
  const moment = await openMoment(location);
  try {
    return await work(moment);
  } finally {
    await moment.close();
  }
}

function sqliteMoment(file: string): Moment {
  const database = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
  database.exec('begin');
  const statements = new Map<string, Database.Statement>();
  return {
    async rows<Row>(text: string, values: readonly string[]) {
      let statement = statements.get(text);
      if (!statement) statements.set(text, (statement = database.prepare(text)));
      // `$1` is a name to SQLite, so its values are passed by name.
      const named = Object.fromEntries(values.map((value, index) => [String(index + 1), value]));
      return (values.length > 0 ? statement.all(named) : statement.all()) as Row[];
    },
    async close() {
      database.close();
    },
  };
}
