import Database from 'better-sqlite3';
import { CompiledQuery } from 'kysely';
import { openStore, type StoreLocation } from './store.ts';

/** The rows of a question to a database that a service may be at work on; changes nothing, not even settings. */
export async function readRows<Row>(location: StoreLocation, question: string): Promise<Row[]> {
  if (location.kind === 'sqlite') {
    const database = new Database(location.file, { readonly: true, fileMustExist: true });
    try {
      return database.prepare<[], Row>(question).all();
    } finally {
      database.close();
    }
  }
  const store = await openStore<Record<string, never>>(location);
  try {
    return (await store.db.executeQuery<Row>(CompiledQuery.raw(question) as CompiledQuery<Row>)).rows;
  } finally {
    await store.close();
  }
}
