import type { Dictionary } from '../../contract/dictionaries.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { CoreDb, CoreTransaction } from '../database.ts';

export function entriesOf(db: CoreDb, accountId: AccountId, dictionary: Dictionary) {
  return db
    .selectFrom('dictionary_items')
    .where('account_id', '=', accountId)
    .where('dictionary', '=', dictionary)
    .select(['id', 'name'])
    .orderBy('id')
    .execute();
}

/** @throws ApiError 404 naming the field when the account's dictionary has no such entry */
export async function requireEntry(
  db: CoreDb | CoreTransaction,
  entry: { accountId: AccountId; dictionary: Dictionary; id: number; field: string },
): Promise<void> {
  const found = await db
    .selectFrom('dictionary_items')
    .where('account_id', '=', entry.accountId)
    .where('dictionary', '=', entry.dictionary)
    .where('id', '=', entry.id)
    .select('id')
    .executeTakeFirst();
  if (!found) throw new ApiError(404, `${entry.field} is not in ${entry.dictionary}.`, { field: entry.field });
}

/** The dictionary's first entry: what is used when a caller names none. */
export async function firstEntry(trx: CoreTransaction, accountId: AccountId, dictionary: Dictionary): Promise<number> {
  const entry = await trx
    .selectFrom('dictionary_items')
    .where('account_id', '=', accountId)
    .where('dictionary', '=', dictionary)
    .select('id')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  return entry.id;
}
