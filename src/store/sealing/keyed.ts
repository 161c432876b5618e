import type { QueryExecutorProvider } from 'kysely';
import type { Sealer } from '../../kernel/seal.ts';
import type { Store } from '../store.ts';

/** By what an open database and all its transactions share. */
const sealers = new WeakMap<object, Sealer>();

/** Has everything that reads or writes this database seal and open with this key. */
export function giveSealer<DB>({ db }: Pick<Store<DB>, 'db'>, sealer: Sealer): void {
  sealers.set(db.getExecutor().adapter, sealer);
}

/** What seals the values of a database, asked by whoever has it or a transaction of it. */
export function sealerOf(db: QueryExecutorProvider): Sealer {
  const sealer = sealers.get(db.getExecutor().adapter);
  if (!sealer) throw new Error('nobody gave this database a key (giveSealer): it holds sealed values');
  return sealer;
}
