import type { AccountId } from '../../kernel/ids.ts';
import type { CoreTransaction } from '../database.ts';

/** Lets one change at a time go by what the account has in all: how many of a thing, and by which names. */
export async function lockAccount(trx: CoreTransaction, accountId: AccountId): Promise<void> {
  await trx.selectFrom('accounts').where('account_id', '=', accountId).select('account_id').forUpdate().execute();
}
