import type { SelectQueryBuilder } from 'kysely';

/**
 * Locks the rows found for this transaction and passes over those another one has locked: how several
 * processes claim work from one table. On SQLite it changes nothing, as transactions run one by one.
 */
export function forUpdateSkipLocked<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> {
  return query.forUpdate().skipLocked();
}
