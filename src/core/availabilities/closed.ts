import type { PlainDate } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { CoreDb, CoreTransaction } from '../database.ts';
import { blocksByHand, takenNights } from './table.ts';

/**
 * Returns nights of a property that channels must not sell: held by a stay or blocked by hand. Both dates are included.
 */
export async function closedNights(
  db: CoreDb | CoreTransaction,
  range: { accountId: AccountId; start: PlainDate; end: PlainDate },
  propertyId: number,
): Promise<Set<PlainDate>> {
  const taken = await takenNights(db, range, [propertyId]);
  return new Set([...(taken.get(propertyId) ?? []), ...(await blocksByHand(db, range, propertyId))]);
}
