import type { ExpressionBuilder } from 'kysely';
import type { AccountId } from '../kernel/ids.ts';
import { prepared } from '../store/queries/prepared.ts';
import type { CoreDatabase, CoreDb } from './database.ts';

/** Number of matches below which rows are always sorted. */
const WORTH_A_SCAN = 2_000;
/** Number of rows that cost as much to scan as one costs to sort. */
const SCANNED_FOR_ONE_SORTED = 6;

/**
 * Returns the question if so many matching rows cover most of an account's table: then it is cheaper to go through all
 * rows by id than to sort the matching ones.
 */
export function coversMost(table: 'transactions' | 'reviews') {
  const idRange = prepared((db: CoreDb, arg: { accountId: AccountId }) => {
    const end = (which: 'asc' | 'desc') => (of: ExpressionBuilder<CoreDatabase, never>) =>
      of.selectFrom(table).where('account_id', '=', arg.accountId).select('id').orderBy('id', which).limit(of.lit(1));
    return db.selectNoFrom((of) => [end('asc')(of).as('first'), end('desc')(of).as('last')]);
  });
  return async (db: CoreDb, accountId: AccountId, matching: number): Promise<boolean> => {
    if (matching < WORTH_A_SCAN) return false;
    const [{ first, last } = { first: 0, last: 0 }] = await idRange(db, { accountId });
    return matching * SCANNED_FOR_ONE_SORTED >= (last ?? 0) - (first ?? 0);
  };
}
