import type { PlainDate } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { CoreDb, CoreTransaction } from '../database.ts';
import { blocksByHand, nightsClosedByFeeds, takenNights } from './table.ts';

/**
 * Returns nights of a property that channels must not sell: held by a stay, blocked by hand, or closed by a feed. Both
 * dates are included.
 */
export async function closedNights(
  db: CoreDb | CoreTransaction,
  range: { accountId: AccountId; start: PlainDate; end: PlainDate },
  propertyId: number,
): Promise<Set<PlainDate>> {
  const taken = await takenNights(db, range, [propertyId]);
  return new Set([...(taken.get(propertyId) ?? []), ...(await blockedForSale(db, range, propertyId))]);
}

/** Returns nights that are closed for every channel beneath the stays: by hand, or by a feed. */
export async function blockedForSale(
  db: CoreDb | CoreTransaction,
  range: { accountId: AccountId; start: PlainDate; end: PlainDate },
  propertyId: number,
): Promise<ReadonlySet<PlainDate>> {
  const byHand = await blocksByHand(db, range, propertyId);
  return new Set([...byHand, ...(await nightsClosedByFeeds(db, range, propertyId))]);
}
