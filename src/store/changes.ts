import type { QueryExecutorProvider } from 'kysely';

/** Says if tables have changed. */
export interface ChangeNumbers {
  /** Returns a text that differs from earlier ones if one of these tables may have changed since, by anybody. */
  of(tables: readonly string[]): string;
}

const known = new WeakMap<QueryExecutorProvider, ChangeNumbers>();

/** Registers what knows about changes, for a database where that costs less than to count. */
export function openChangeNumbers(db: QueryExecutorProvider, numbers: ChangeNumbers): void {
  known.set(db, numbers);
}

/** Returns undefined for a transaction, and where nothing but the tables themselves can say. */
export function changeNumbersOf(db: QueryExecutorProvider): ChangeNumbers | undefined {
  return known.get(db);
}
