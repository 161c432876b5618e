import { ApiError, invalid } from '../../kernel/errors.ts';
import { type Currency, type Minor, toMinor } from '../../kernel/money.ts';
import type { Change, Context } from '../context.ts';
import type { StayRow } from '../database.ts';
import { requireEntry } from '../dictionaries/entries.ts';
import { goneResource, maySee } from '../ownership.ts';
import { findStay } from './lookup.ts';

/** The stay a code in a path means. @throws ApiError 404 when the caller has no such stay */
export async function requireStay(context: Context, stayCode: string): Promise<StayRow> {
  const stay = await findStay(context.db, context.account.account_id, stayCode);
  if (!stay || !maySee(context, stay.property_id)) throw goneResource();
  return stay;
}

export async function requireCustomChannel(change: Change, id: number): Promise<void> {
  const found = await change.trx
    .selectFrom('custom_channels')
    .where('account_id', '=', change.account.account_id)
    .where('id', '=', id)
    .select('id')
    .executeTakeFirst();
  if (!found) throw new ApiError(404, 'custom_channel_id not found.', { field: 'custom_channel_id' });
}

export function requireIncomeMethod(change: Change, id: number): Promise<void> {
  const accountId = change.account.account_id;
  return requireEntry(change.trx, { accountId, dictionary: 'income_methods', id, field: 'income_method_id' });
}

/** An amount of a request as minor units. @throws ApiError 422 for more decimals than the currency has */
export function requireAmount(field: string, amount: number, currency: Currency): Minor {
  const minor = toMinor(amount, currency);
  if (minor === undefined) throw invalid(field, `has more decimals than ${currency} has`);
  return minor;
}

export function optionalAmount(field: string, amount: number | undefined, currency: Currency): Minor | undefined {
  return amount === undefined ? undefined : requireAmount(field, amount, currency);
}
