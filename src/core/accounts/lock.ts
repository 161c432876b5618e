import type { AccountId } from '../../kernel/ids.ts';
import type { CoreTransaction } from '../database.ts';

/** Serialises changes that depend on the account as a whole, such as counts and unique names. */
export async function lockAccount(trx: CoreTransaction, accountId: AccountId): Promise<void> {
  await trx.selectFrom('accounts').where('account_id', '=', accountId).select('account_id').forUpdate().execute();
}
