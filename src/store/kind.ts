import { PostgresAdapter, type QueryExecutorProvider, SqliteAdapter } from 'kysely';

export type StoreKind = 'sqlite' | 'postgres';

/** Returns the kind of database behind a kysely instance or transaction. */
export function kindOf(db: QueryExecutorProvider): StoreKind {
  const { adapter } = db.getExecutor();
  if (adapter instanceof SqliteAdapter) return 'sqlite';
  if (adapter instanceof PostgresAdapter) return 'postgres';
  throw new Error('this kysely instance was not made by openStore');
}
