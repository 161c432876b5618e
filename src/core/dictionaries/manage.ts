import type { Dictionary } from '../../contract/dictionaries.ts';
import { ApiError, invalid } from '../../kernel/errors.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import { lockAccount } from '../accounts/lock.ts';
import type { Change } from '../context.ts';
import type { CoreDb } from '../database.ts';
import { flag } from '../flag.ts';
import { nameKey } from '../names.ts';
import { FIRST_OWN_ID } from './ids.ts';
import { addEntry, entriesOf, renameEntry as setName } from './table.ts';

/** An entry of a dictionary, or a source of direct reservations. */
export interface Named {
  readonly id: number;
  readonly name: string;
}

/** Lists all entries of one dictionary. */
export function listEntries(db: CoreDb, accountId: AccountId, dictionary: Dictionary): Promise<Named[]> {
  return entriesOf(db, accountId, dictionary);
}

/**
 * Adds an entry to a dictionary of the ledger.
 * @param draft.refund of an expense item: its entries are refunds, which reduce the amount that a reservation has
 * received
 * @throws ApiError 409 for a name that the dictionary already has, 422 for a refund that is no expense item
 */
export async function createEntry(
  change: Change,
  dictionary: Dictionary,
  { name, refund = false }: { name: string; refund?: boolean | undefined },
): Promise<Named> {
  const { trx, account } = change;
  if (refund && dictionary !== 'expense_items') throw invalid('refund', 'is for expense_items alone');
  await lockAccount(trx, account.account_id);
  requireFree(await entriesOf(trx, account.account_id, dictionary), { name, of: dictionary });
  const id = FIRST_OWN_ID + (await nextIds(trx, 'dictionary'));
  await addEntry(trx, { account_id: account.account_id, dictionary, id, name, refund: flag(refund) });
  change.audit('create dictionary entry', `${dictionary}:${id}`, { after: { name, refund } });
  return { id, name };
}

/**
 * Renames an entry. Existing ledger entries show the new name.
 * @throws ApiError 404 when the dictionary has no such entry, 409 for a name that another entry has
 */
export async function renameEntry(change: Change, dictionary: Dictionary, { id, name }: Named): Promise<Named> {
  const { trx, account } = change;
  await lockAccount(trx, account.account_id);
  const entries = await entriesOf(trx, account.account_id, dictionary);
  const known = entries.find((one) => one.id === id);
  if (!known) throw new ApiError(404, `id: ${dictionary} has no entry ${id}`, { field: 'id' });
  requireFree(entries, { id, name, of: dictionary });
  if (known.name === name) return known;
  await setName(trx, { accountId: account.account_id, dictionary, id, name });
  change.audit('rename dictionary entry', `${dictionary}:${id}`, { before: { name: known.name }, after: { name } });
  return { id, name };
}

/** @throws ApiError 409 when another entry has the name, in any case of letters */
export function requireFree(
  known: readonly Named[],
  { id, name, of }: { id?: number; name: string; of: string },
): void {
  const other = known.find((one) => one.id !== id && nameKey(one.name) === nameKey(name));
  if (other) throw new ApiError(409, `name: ${of} has "${other.name}" already (${other.id})`, { field: 'name' });
}
