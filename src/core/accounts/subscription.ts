import { instantOf } from '../../kernel/dates.ts';
import { runChange } from '../change.ts';
import type { Core } from '../context.ts';
import type { AccountRow } from '../database.ts';
import { lockAccount } from './lock.ts';
import { changedTerm, type TermChange } from './rules.ts';
import { accountById } from './subAccounts.ts';
import { updateAccount } from './table.ts';

export interface SubscriptionChange extends TermChange {
  edition?: AccountRow['edition'] | undefined;
  property_quota?: number | undefined;
  /** held: planned actions are not executed. */
  automations?: 'armed' | 'held' | undefined;
}

/** Sets the rights of an account. Fields that are left out stay. A date in the past ends the subscription at once. */
export function changeSubscription(
  core: Core,
  account: AccountRow,
  { edition, property_quota, automations, ...term }: SubscriptionChange,
): Promise<AccountRow> {
  return runChange(core, { account, operator: null }, async ({ trx, now, audit }) => {
    await lockAccount(trx, account.account_id);
    const before = await accountById(trx, account.account_id);
    const changed: AccountRow = {
      ...before,
      ...changedTerm(before, term, instantOf(now)),
      edition: edition ?? before.edition,
      property_quota: property_quota ?? before.property_quota,
      automations_held: heldAfter(before.automations_held, automations),
    };
    await updateAccount(trx, changed);
    audit('change subscription', `account:${account.account_id}`, { before: termsOf(before), after: termsOf(changed) });
    return changed;
  });
}

function termsOf({ subscription, expires_at, edition, property_quota, automations_held }: AccountRow): object {
  return { subscription, expires_at, edition, property_quota, automations_held };
}

function heldAfter(before: string | null, change: SubscriptionChange['automations']): string | null {
  if (change === undefined) return before;
  return change === 'armed' ? null : (before ?? 'held by hand');
}
