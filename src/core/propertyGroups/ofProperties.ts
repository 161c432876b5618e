import type { AccountId } from '../../kernel/ids.ts';
import type { CoreDb } from '../database.ts';
import { grouped } from '../grouped.ts';
import { groupRowsOf } from './table.ts';

/** Returns the groups of each property as the property shows them. */
export async function groupsOfProperties(
  db: CoreDb,
  accountId: AccountId,
  propertyIds: readonly number[],
): Promise<Map<number, { id: number; name: string }[]>> {
  return grouped(
    await groupRowsOf(db, { accountId, propertyIds }),
    (row) => row.property_id,
    ({ id, name }) => ({ id, name }),
  );
}
