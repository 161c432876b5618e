import type { Principal } from '../context.ts';
import type { AccountRow, CoreDb, CoreTransaction } from '../database.ts';
import { groupProperties, membersOf, shownAmong } from '../members.ts';
import { refuseForeign } from '../ownership.ts';
import { groupsById } from './table.ts';

/** Checks the groups of a list from a request. @throws ApiError 403 or 404 for the first that the caller may not use */
export async function requireGroups(
  db: CoreDb | CoreTransaction,
  account: AccountRow,
  { visible }: Pick<Principal, 'visible'>,
  ids: readonly number[],
  field: string,
): Promise<void> {
  if (ids.length === 0) return;
  const known = new Map((await groupsById(db, ids)).map((row) => [row.id, row]));
  const members = await membersOf(db, groupProperties, account.account_id, ids);
  for (const id of ids) {
    const row = known.get(id);
    const held = members.get(id) ?? [];
    const isShown = held.length === 0 || shownAmong(held, visible).length > 0;
    refuseForeign(row?.account_id === account.account_id && !isShown ? undefined : row, account, field);
  }
}
