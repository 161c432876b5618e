import { ApiError } from '../../kernel/errors.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import { lockAccount } from '../accounts/lock.ts';
import type { Change } from '../context.ts';
import type { CoreDb } from '../database.ts';
import { FIRST_OWN_ID } from '../dictionaries/ids.ts';
import { type Named, requireFree } from '../dictionaries/manage.ts';
import { addCustomChannel, customChannelsOf, renameCustomChannel as setName } from './table.ts';

const SOURCES = 'custom_channels';

export function listCustomChannels(db: CoreDb, accountId: AccountId): Promise<Named[]> {
  return customChannelsOf(db, accountId);
}

/** Adds a source of direct reservations. @throws ApiError 409 for a name that the account already uses */
export async function createCustomChannel(change: Change, { name }: { name: string }): Promise<Named> {
  const { trx, account } = change;
  await lockAccount(trx, account.account_id);
  requireFree(await customChannelsOf(trx, account.account_id), { name, of: SOURCES });
  const id = FIRST_OWN_ID + (await nextIds(trx, 'dictionary'));
  await addCustomChannel(trx, { account_id: account.account_id, id, name });
  change.audit('create custom channel', String(id), { after: { name } });
  return { id, name };
}

/**
 * Renames a source. Its existing reservations show the new name.
 * @throws ApiError 404 when the account has no such source, 409 for a name that another source has
 */
export async function renameCustomChannel(change: Change, { id, name }: Named): Promise<Named> {
  const { trx, account } = change;
  await lockAccount(trx, account.account_id);
  const channels = await customChannelsOf(trx, account.account_id);
  const known = channels.find((one) => one.id === id);
  if (!known) throw new ApiError(404, `id: there is no custom channel ${id}`, { field: 'id' });
  requireFree(channels, { id, name, of: SOURCES });
  if (known.name === name) return known;
  await setName(trx, { account_id: account.account_id, id, name });
  change.audit('rename custom channel', String(id), { before: { name: known.name }, after: { name } });
  return { id, name };
}
