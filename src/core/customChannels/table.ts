import type { AccountId } from '../../kernel/ids.ts';
import type { CoreDb, CoreTransaction } from '../database.ts';

export function customChannelsOf(db: CoreDb | CoreTransaction, accountId: AccountId) {
  return db
    .selectFrom('custom_channels')
    .where('account_id', '=', accountId)
    .select(['id', 'name'])
    .orderBy('id')
    .execute();
}

export async function addCustomChannel(
  trx: CoreTransaction,
  row: { account_id: AccountId; id: number; name: string },
): Promise<void> {
  await trx.insertInto('custom_channels').values(row).execute();
}

export async function renameCustomChannel(
  trx: CoreTransaction,
  { account_id, id, name }: { account_id: AccountId; id: number; name: string },
): Promise<void> {
  await trx
    .updateTable('custom_channels')
    .set({ name })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}
