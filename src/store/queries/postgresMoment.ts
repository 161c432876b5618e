import { CompiledQuery } from 'kysely';
import { openStore, type StoreLocation } from '../store.ts';
import type { Moment } from './momentReader.ts';

/** Opens a transaction of PostgreSQL that only reads, and sees one moment. */
export async function postgresMoment(location: StoreLocation): Promise<Moment> {
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
