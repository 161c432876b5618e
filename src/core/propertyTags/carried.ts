import type { AccountId } from '../../kernel/ids.ts';
import type { CoreDb } from '../database.ts';
import { grouped } from '../grouped.ts';
import { tagRowsOf } from './table.ts';

interface CarriedTag {
  id: number;
  name: string;
  color: string;
}

/** Returns the tags of each property as the property shows them. */
export function tagsOfProperties(db: CoreDb, accountId: AccountId, ids: readonly number[]) {
  return tagsOf(db, accountId, 'property', ids);
}

/** Returns the tags of each room type as the room type shows them. */
export function tagsOfRoomTypes(db: CoreDb, accountId: AccountId, ids: readonly number[]) {
  return tagsOf(db, accountId, 'room_type', ids);
}

async function tagsOf(
  db: CoreDb,
  accountId: AccountId,
  carrier: 'property' | 'room_type',
  ids: readonly number[],
): Promise<Map<number, CarriedTag[]>> {
  return grouped(
    await tagRowsOf[carrier](db, { accountId, ids }),
    (row) => row.carrier,
    ({ id, name, color }) => ({ id, name, color }),
  );
}
