import Database from 'better-sqlite3';
import { Kysely } from 'kysely';
import { sqliteDialect } from '../sqlite/sqlite.ts';
import { openStore, type StoreLocation } from '../store.ts';

/** Queries a database that a service may be using; changes nothing, not even its settings. */
export async function readRows<DB, T>(location: StoreLocation, question: (db: Kysely<DB>) => Promise<T>): Promise<T> {
  if (location.kind === 'sqlite') {
    const database = new Database(location.file, { readonly: true, fileMustExist: true });
    try {
      return await question(new Kysely<DB>({ dialect: sqliteDialect(database) }));
    } finally {
      database.close();
    }
  }
  const store = await openStore<DB>(location);
  try {
    return await question(store.db);
  } finally {
    await store.close();
  }
}
