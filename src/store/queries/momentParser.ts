import Database from 'better-sqlite3';
import { CompiledQuery } from 'kysely';
import { openStore, type StoreLocation } from '../store.ts';

/** A database at one moment: every query sees the same rows, whatever others write meanwhile. Read-only. */
export interface MomentParser {
  /** Runs a query; `text` has `$1`, `$2` … for its values. */
  rows<Row>(text: string, values: readonly string[]): Promise<Row[]>;
  /** Ends the moment and closes the database. */
  close(): Promise<void>;
}

/** Milliseconds that a reader waits while another process opens or closes the database. */
const BUSY_MS = 5_000;

/**
 * Opens a database for a long read. On SQLite queries block the thread, so use a worker thread; the -wal file only
 * grows meanwhile.
 */
async function openMoment(location: StoreLocation): Promise<MomentParser> {
  return location.kind === 'sqlite' ? sqliteMoment(location.file) : postgresMoment(location);
}

/**
 * Runs `work` with queries of one moment. Meanwhile SQLite retains all writes of others in its -wal file, so do
 * dependent writes afterwards.
 */
export async function atMoment<T>(location: StoreLocation, work: (reader: MomentParser) => Promise<T>): Promise<T> {
  const moment = await openMoment(location);
  try {
    return await work(moment);
  } finally {
    await moment.close();
  }
}

function sqliteMoment(file: string): MomentParser {
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

async function postgresMoment(location: StoreLocation): Promise<MomentParser> {
  const store = await openStore<object>(location);
  const trx = await store.db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  return {
    async rows<Row>(text: string, values: readonly string[]) {
      const { rows } = await trx.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
      return rows;
    },
    async close() {
      await trx.rollback().execute();
      await store.close();
    },
  };
}
