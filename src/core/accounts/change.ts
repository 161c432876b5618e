import { ApiError } from '../../kernel/errors.ts';
import type { Currency } from '../../kernel/money.ts';
import { runChange } from '../change.ts';
import type { Core, Principal } from '../context.ts';
import type { AccountRow } from '../database.ts';
import { countReservations } from '../reservations/lookup.ts';
import { findAccount, setAccountSettings } from './table.ts';

interface AccountSettings {
  name?: string | undefined;
  time_zone?: string | undefined;
  currency?: Currency | undefined;
}

/**
 * Changes name, time zone and currency of an account. Zone and currency stay once there are reservations: their dates and
 * amounts are meant by them. @throws ApiError 409 for a taken name, or for zone or currency with reservations
 */
export function changeAccount(
  core: Core,
  who: { account: AccountRow; operator: Principal['operator'] | null },
  draft: AccountSettings,
): Promise<AccountRow> {
  const { account } = who;
  return runChange(core, who, async ({ trx, audit }) => {
    const before = { name: account.name, time_zone: account.time_zone, currency: account.currency };
    const after = {
      name: draft.name ?? before.name,
      time_zone: draft.time_zone ?? before.time_zone,
      currency: draft.currency ?? before.currency,
    };
    const field = (['time_zone', 'currency'] as const).find((one) => after[one] !== before[one]);
    if (field !== undefined && (await countReservations(trx, account.account_id)) > 0) {
      throw new ApiError(409, `${field}: stays as it is, since there are reservations by it`, { field });
    }
    const other = after.name === before.name ? undefined : await findAccount(trx, after.name);
    if (other && other.account_id !== account.account_id) {
      throw new ApiError(409, 'name: another account has it', { field: 'name' });
    }
    await setAccountSettings(trx, account.account_id, after);
    audit('change account', `account:${account.account_id}`, { before, after });
    return { ...account, ...after };
  });
}
