import { runChange } from '../change.ts';
import type { Core } from '../context.ts';
import type { AccountRow } from '../database.ts';
import { updateAccount } from './table.ts';

export interface SubscriptionChange {
  edition?: AccountRow['edition'] | undefined;
  suspended?: boolean | undefined;
  /** null: never. */
  expires_at?: string | null | undefined;
  property_quota?: number | undefined;
}

/** Sets what an account may do; what is left out stays. A date in the past ends the subscription at once. */
export async function changeSubscription(
  core: Core,
  account: AccountRow,
  change: SubscriptionChange,
): Promise<AccountRow> {
  const changed: AccountRow = { ...account };
  if (change.edition !== undefined) changed.edition = change.edition;
  if (change.suspended !== undefined) changed.subscription = change.suspended ? 'suspended' : 'active';
  if (change.property_quota !== undefined) changed.property_quota = change.property_quota;
  if (change.expires_at !== undefined) changed.expires_at = change.expires_at;
  await runChange(core, { account, operator: null }, async ({ trx, audit }) => {
    await updateAccount(trx, changed);
    audit('change subscription', `account:${account.account_id}`);
  });
  return changed;
}
