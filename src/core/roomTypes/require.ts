import type { CoreDb, CoreTransaction, AccountRow } from '../database.ts';
import type { Principal } from '../context.ts';
import { refuseForeign } from '../ownership.ts';
import { roomTypesById } from './table.ts';

/**
 * Returns the room types of a list from a request, each once. @throws ApiError 403 or 404 for the first that the caller
 * may not use
 */
export async function requireRoomTypes(
  db: CoreDb | CoreTransaction,
  account: AccountRow,
  { visible }: Pick<Principal, 'visible'>,
  ids: readonly number[],
  field = 'room_type_ids',
): Promise<number[]> {
  const asked = [...new Set(ids)];
  if (asked.length === 0) return asked;
  const known = new Map((await roomTypesById(db, asked, visible)).map((row) => [row.id, row]));
  for (const id of asked) {
    const row = known.get(id);
    refuseForeign(row?.account_id === account.account_id && !row.shown ? undefined : row, account, field);
  }
  return asked;
}

/** Returns those of the account's room types that the caller sees. */
export async function shownRoomTypes(
  db: CoreDb | CoreTransaction,
  { visible }: Pick<Principal, 'visible'>,
  ids: readonly number[],
): Promise<readonly number[] | null> {
  if (visible === null) return null;
  return (await roomTypesById(db, ids, visible)).filter((row) => row.shown).map((row) => row.id);
}
