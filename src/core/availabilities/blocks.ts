import type { PlainDate } from '../../kernel/dates.ts';
import type { Change } from '../context.ts';
import { cascadeNights } from '../channels/cascade.ts';
import { tellNights } from './nights.ts';
import {
  addBlocks,
  blockReasons,
  blocksByHand,
  nightsClosedByFeeds,
  removeBlocks,
  takenNights,
  unlistedNights,
} from './table.ts';

/**
 * Blocks nights of a property or removes blocks, and emits events for nights that became closed or free by it, or whose
 * reason is another now. A block can lie beneath a stay; it takes effect once the stay is gone.
 */
export async function changeBlocks(
  change: Change,
  propertyId: number,
  wish: { available: boolean; dates: readonly PlainDate[]; reason?: string | undefined },
): Promise<void> {
  const dates = [...new Set(wish.dates)].toSorted();
  const [start, end] = [dates[0], dates.at(-1)];
  if (start === undefined || end === undefined) return;
  const { trx, account } = change;
  const range = { accountId: account.account_id, start, end };
  const blocked = await blocksByHand(trx, range, propertyId);
  const unlisted = await unlistedNights(trx, range, propertyId);
  const held = (await takenNights(trx, range, [propertyId])).get(propertyId) ?? new Set();
  const reasons = (await blockReasons(trx, range, [propertyId])).get(propertyId);
  // Without a reason, a night that is blocked keeps the one it has.
  const isNew = (date: PlainDate) =>
    !blocked.has(date) || (wish.reason !== undefined && reasons?.get(date) !== wish.reason);
  const isClosed = (date: PlainDate) => blocked.has(date) || unlisted.has(date);
  const other = dates.filter((date) => (wish.available ? isClosed(date) : isNew(date)));
  const block = { account_id: account.account_id, property_id: propertyId };
  if (wish.available) await removeBlocks(trx, block, other);
  else await addBlocks(trx, { ...block, reason: wish.reason ?? null }, other);
  const byFeed = await nightsClosedByFeeds(trx, range, propertyId);
  const free = other.filter((date) => !held.has(date) && !byFeed.has(date));
  const seen = wish.available ? free : free.filter((date) => !unlisted.has(date));
  tellNights(change, propertyId, seen, wish.available);
  await cascadeNights(change, propertyId, free);
}
