import type { Dictionary } from '../../contract/dictionaries.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { CoreDb, CoreTransaction } from '../database.ts';
import { findEntry, firstEntryOf } from './table.ts';

/** @throws ApiError 404 naming the field when the account's dictionary has no such entry */
export async function requireEntry(
  db: CoreDb | CoreTransaction,
  entry: { accountId: AccountId; dictionary: Dictionary; id: number; field: string },
): Promise<void> {
  if (await findEntry(db, entry)) return;
  throw new ApiError(404, `${entry.field} is not in ${entry.dictionary}.`, { field: entry.field });
}

/** The dictionary's first entry: what is used when a caller names none. */
export async function firstEntry(trx: CoreTransaction, accountId: AccountId, dictionary: Dictionary): Promise<number> {
  const [entry] = await firstEntryOf(trx, { accountId, dictionary });
  if (!entry) throw new ApiError(404, `${dictionary} is empty.`);
  return entry.id;
}
