import type { Dictionary } from '../../contract/dictionaries.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { CoreDb, CoreTransaction } from '../database.ts';
import { refuseForeign } from '../ownership.ts';
import { entryOwner, findEntry, firstEntryOf, firstRefundItem } from './table.ts';

/** @throws ApiError naming the field: 403 for another account's entry, 404 for one that the dictionary does not have */
export async function requireEntry(
  db: CoreDb | CoreTransaction,
  entry: { accountId: AccountId; dictionary: Dictionary; id: number; field: string },
): Promise<void> {
  if (await findEntry(db, entry)) return;
  refuseForeign(await entryOwner(db, entry.id), { account_id: entry.accountId }, entry.field);
  throw new ApiError(404, `${entry.field} is not in ${entry.dictionary}.`, { field: entry.field });
}

/** Returns the dictionary's first entry, the default for callers who name none. */
export async function firstEntry(trx: CoreTransaction, accountId: AccountId, dictionary: Dictionary): Promise<number> {
  const [entry] = await firstEntryOf(trx, { accountId, dictionary });
  if (!entry) throw new ApiError(404, `${dictionary} is empty.`);
  return entry.id;
}

/** Returns the expense item for refunds to guests, which every account has from the start. */
export async function refundItem(trx: CoreTransaction, accountId: AccountId): Promise<number> {
  const item = await firstRefundItem(trx, accountId);
  if (!item) throw new ApiError(404, 'expense_items has no item for refunds.');
  return item.id;
}
