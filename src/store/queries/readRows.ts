import Database from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { sqliteDialect } from '../sqlite/sqlite.ts';
import { openStore, type StoreLocation } from '../store.ts';

/**
 * The same as {@link readRows}, with all queries about one moment, however long they take. Meanwhile the -wal file of
 * SQLite only grows.
 */
export async function readSnapshot<DB, T>(
  location: StoreLocation,
  question: (db: Kysely<DB>) => Promise<T>,
): Promise<T> {
  if (location.kind === 'sqlite') {
    const database = new Database(location.file, { readonly: true, fileMustExist: true });
    try {
      // The first query of the transaction fixes the moment.
      database.exec('begin');
      return await question(new Kysely<DB>({ dialect: sqliteDialect(database) }));
    } finally {
      database.close();
    }
  }
  return await readRows<DB, T>(location, (db) =>
    db.connection().execute(async (held) => {
      await sql`begin isolation level repeatable read read only`.execute(held);
      try {
        return await question(held);
      } finally {
        await sql`rollback`.execute(held);
      }
    }),
  );
}

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
