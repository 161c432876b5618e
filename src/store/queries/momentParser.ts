import Database from 'better-sqlite3';
import { CompiledQuery } from 'kysely';
import { openStore, type StoreLocation } from '../store.ts';

/** One moment of a database: every question sees the same rows, whatever others write meanwhile. Reads alone. */
export interface MomentParser {
  /** `text` has `$1`, `$2` … for its values. */
  rows<Row>(text: string, values: readonly string[]): Promise<Row[]>;
  /** Lets go of the moment and of the database. */
  close(): Promise<void>;
}

/** How long a reader waits for whoever is just opening or closing the database. */
const BUSY_MS = 5_000;

/**
 * Opens a database for a long reading. On SQLite questions block the thread, so this belongs into one of its own;
 * the -wal file can only grow meanwhile.
 */
async function openMoment(location: StoreLocation): Promise<MomentParser> {
  return location.kind === 'sqlite' ? sqliteMoment(location.file) : postgresMoment(location);
}

/**
 * Lets `work` ask at one moment, and lets go of it then. While it is held, SQLite keeps everything that others write in
 * its -wal file, so what is to be written because of it should come afterwards.
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
      // `$1` is a name to SQLite, which it has to be given with its value.
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
