import type { Instant } from '../../kernel/dates.ts';
import { sourcesOf } from '../../kernel/transitions.ts';
import type { CoreDatabase, CoreDb, CoreTransaction } from '../database.ts';

import { requestLife } from './states.ts';

type IdempotencyRow = CoreDatabase['idempotency_keys'];
/** The name of one request of a caller. */
export type IdempotencyName = Pick<IdempotencyRow, 'account_id' | 'caller' | 'key'>;

/** Claims a key for a request. @returns false when it is taken */
export async function takeKey(trx: CoreTransaction, row: IdempotencyRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'caller', 'key']).doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export function findKey(trx: CoreTransaction, name: IdempotencyName): Promise<IdempotencyRow | undefined> {
  return named(trx.selectFrom('idempotency_keys').selectAll(), name).forUpdate().executeTakeFirst();
}

export async function changeKey(
  db: CoreDb | CoreTransaction,
  name: IdempotencyName,
  columns: Partial<Pick<IdempotencyRow, 'state' | 'answer'>>,
): Promise<void> {
  await named(db.updateTable('idempotency_keys').set(columns), name).execute();
}

/** Releases a key whose request has changed nothing. */
export async function dropKey(db: CoreDb | CoreTransaction, name: IdempotencyName): Promise<void> {
  await named(db.deleteFrom('idempotency_keys'), name).where('state', 'in', sourcesOf(requestLife, 'refuse')).execute();
}

/** Deletes keys of an account from before a moment. */
export async function forgetKeys(
  trx: CoreTransaction,
  accountId: IdempotencyRow['account_id'],
  before: Instant,
): Promise<void> {
  await trx
    .deleteFrom('idempotency_keys')
    .where('account_id', '=', accountId)
    .where('created_at', '<', before)
    .execute();
}

interface Filtered<Query> {
  where(column: 'account_id' | 'caller' | 'key', is: '=', value: string): Query;
}

function named<Query extends Filtered<Query>>(query: Query, { account_id, caller, key }: IdempotencyName): Query {
  return query.where('account_id', '=', account_id).where('caller', '=', caller).where('key', '=', key);
}
