import type { PlainDate } from '../../kernel/dates.ts';
import type { Change } from '../context.ts';
import { announceNights } from './nights.ts';
import { addBlocks, blockedNights, removeBlocks, takenNights } from './table.ts';

/**
 * Blocks nights of a property or takes blocks away, and tells of those that became closed or free by it. A block
 * can lie beneath a stay; it counts once the stay is gone.
 */
export async function changeBlocks(
  change: Change,
  propertyId: number,
  wish: { available: boolean; dates: readonly PlainDate[] },
): Promise<void> {
  const dates = [...new Set(wish.dates)].toSorted();
  const [start, end] = [dates[0], dates.at(-1)];
  if (start === undefined || end === undefined) return;
  const { trx, account } = change;
  const range = { accountId: account.account_id, start, end };
  const blocked = (await blockedNights(trx, range, [propertyId])).get(propertyId) ?? new Set();
  const held = (await takenNights(trx, range, [propertyId])).get(propertyId) ?? new Set();
  const other = dates.filter((date) => blocked.has(date) === wish.available);
  const block = { account_id: account.account_id, property_id: propertyId };
  if (wish.available) await removeBlocks(trx, block, other);
  else await addBlocks(trx, block, other);
  const seen = other.filter((date) => !held.has(date));
  await announceNights(change, propertyId, seen, wish.available);
}
