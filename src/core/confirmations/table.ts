import type { CoreDatabase, CoreTransaction } from '../database.ts';

type ConfirmationUse = CoreDatabase['confirmation_uses'];

/** Records the use of a confirmation. @returns false when it was used before */
export async function saveUse(trx: CoreTransaction, row: ConfirmationUse): Promise<boolean> {
  const result = await trx
    .insertInto('confirmation_uses')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'id']).doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Deletes uses of confirmations that have expired. */
export async function forgetUses(
  trx: CoreTransaction,
  { account_id, before }: { account_id: ConfirmationUse['account_id']; before: ConfirmationUse['expires_at'] },
): Promise<void> {
  await trx
    .deleteFrom('confirmation_uses')
    .where('account_id', '=', account_id)
    .where('expires_at', '<', before)
    .execute();
}
