import type { Dictionary } from '../../contract/dictionaries.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { prepared } from '../../store/queries/prepared.ts';
import type { CoreDb, CoreTransaction } from '../database.ts';
import type { Flag } from '../flag.ts';

export function entriesOf(db: CoreDb | CoreTransaction, accountId: AccountId, dictionary: Dictionary) {
  return db
    .selectFrom('dictionary_items')
    .where('account_id', '=', accountId)
    .where('dictionary', '=', dictionary)
    .select(['id', 'name'])
    .orderBy('id')
    .execute();
}

export function findEntry(
  db: CoreDb | CoreTransaction,
  entry: { accountId: AccountId; dictionary: Dictionary; id: number },
) {
  return db
    .selectFrom('dictionary_items')
    .where('account_id', '=', entry.accountId)
    .where('dictionary', '=', entry.dictionary)
    .where('id', '=', entry.id)
    .select('id')
    .executeTakeFirst();
}

/** Returns the account of an entry. Ids are unique over all accounts. */
export function entryOwner(db: CoreDb | CoreTransaction, id: number) {
  return db.selectFrom('dictionary_items').where('id', '=', id).select('account_id').executeTakeFirst();
}

export const firstEntryOf = prepared((db: CoreDb, arg: { accountId: AccountId; dictionary: Dictionary }) =>
  db
    .selectFrom('dictionary_items')
    .where('account_id', '=', arg.accountId)
    .where('dictionary', '=', arg.dictionary)
    .select('id')
    .orderBy('id')
    .limit(1),
);

export function firstRefundItem(trx: CoreTransaction, accountId: AccountId) {
  return trx
    .selectFrom('dictionary_items')
    .where('account_id', '=', accountId)
    .where('dictionary', '=', 'expense_items')
    .where('refund', '=', 1)
    .select('id')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

export async function addEntry(
  trx: CoreTransaction,
  row: { account_id: AccountId; dictionary: Dictionary; id: number; name: string; refund: Flag },
): Promise<void> {
  await trx.insertInto('dictionary_items').values(row).execute();
}

export async function renameEntry(
  trx: CoreTransaction,
  { accountId, dictionary, id, name }: { accountId: AccountId; dictionary: Dictionary; id: number; name: string },
): Promise<void> {
  await trx
    .updateTable('dictionary_items')
    .set({ name })
    .where('account_id', '=', accountId)
    .where('dictionary', '=', dictionary)
    .where('id', '=', id)
    .execute();
}
