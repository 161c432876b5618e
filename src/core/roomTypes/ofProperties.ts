import type { AccountId } from '../../kernel/ids.ts';
import type { CoreDb } from '../database.ts';
import { roomTypeRowsOf } from './table.ts';

/** Returns the room type of each property. A property has one at most. */
export async function roomTypesOfProperties(
  db: CoreDb,
  accountId: AccountId,
  propertyIds: readonly number[],
): Promise<Map<number, { id: number; name: string }>> {
  const rows = await roomTypeRowsOf(db, { accountId, propertyIds });
  return new Map(rows.map(({ property_id, id, name }) => [property_id, { id, name }]));
}
