import type { ExpressionBuilder } from 'kysely';
import type { AccountId } from '../kernel/ids.ts';
import { prepared } from '../store/queries/prepared.ts';
import type { CoreDatabase, CoreDb } from './database.ts';

/**
 * Prepares the count of an account's ids from its first to its last row: at least the number of its rows, and not
 * much more unless others add to the same table. It costs two lookups, where a count goes through all rows.
 */
export function idSpanOf(table: 'stays' | 'transactions') {
  const ends = prepared((db: CoreDb, arg: { accountId: AccountId }) => {
    const end = (which: 'asc' | 'desc') => (of: ExpressionBuilder<CoreDatabase, never>) =>
      of.selectFrom(table).where('account_id', '=', arg.accountId).select('id').orderBy('id', which).limit(of.lit(1));
    return db.selectNoFrom((of) => [end('asc')(of).as('first'), end('desc')(of).as('last')]);
  });
  return async (db: CoreDb, accountId: AccountId): Promise<number> => {
    const [{ first, last } = { first: null, last: null }] = await ends(db, { accountId });
    return first === null || last === null ? 0 : last - first + 1;
  };
}
