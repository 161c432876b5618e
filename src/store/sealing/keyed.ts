import type { QueryExecutorProvider } from 'kysely';
import type { Sealer } from '../../kernel/seal.ts';
import type { Store } from '../store.ts';

/** Sealers by the object that an open database shares with all its transactions. */
const sealers = new WeakMap<object, Sealer>();

/** Sets the sealer for all readers and writers of this database. */
export function giveSealer<DB>({ db }: Pick<Store<DB>, 'db'>, sealer: Sealer): void {
  sealers.set(db.getExecutor().adapter, sealer);
}

/** Returns the sealer of a database or of its transaction. */
export function sealerOf(db: QueryExecutorProvider): Sealer {
  const sealer = sealers.get(db.getExecutor().adapter);
  if (!sealer) throw new Error('nobody gave this database a key (giveSealer): it holds sealed values');
  return sealer;
}
