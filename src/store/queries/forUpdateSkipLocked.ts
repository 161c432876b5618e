import type { SelectQueryBuilder } from 'kysely';

/**
 * Locks the found rows for this transaction and skips those that another one has locked, so that several processes can
 * claim work from one table. On SQLite it changes nothing, as transactions run one by one.
 */
export function forUpdateSkipLocked<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> {
  return query.forUpdate().skipLocked();
}
