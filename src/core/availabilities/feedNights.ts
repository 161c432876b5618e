import type { PlainDate } from '../../kernel/dates.ts';
import { cascadeNights } from '../channels/cascade.ts';
import type { Change } from '../context.ts';
import { tellNights } from './nights.ts';
import { addClosures, closuresOfFeed, type FeedPlace, nameClosures, removeClosures } from './closures.ts';
import { blocksByHand, nightsClosedByFeeds, ownBlocks, takenNights } from './table.ts';

/**
 * Closes the given nights for a feed, and opens those that it closed before and closes no longer. Emits events for nights
 * that became closed or free by it, and passes them on to the listings. Nights before `today` are forgotten in silence.
 */
export async function closeForFeed(
  change: Change,
  place: FeedPlace,
  { nights, today }: { nights: ReadonlySet<PlainDate>; today: PlainDate },
): Promise<void> {
  const before = await closuresOfFeed(change.trx, place);
  const known = new Set(before);
  const added = [...nights].filter((night) => !known.has(night)).toSorted();
  const dropped = before.filter((night) => !nights.has(night));
  if (added.length > 0) await addClosures(change.trx, place, added);
  if (dropped.length > 0) await removeClosures(change.trx, place, dropped);
  await announce(change, place, added, false);
  await announce(
    change,
    place,
    dropped.filter((night) => night >= today),
    true,
  );
}

async function announce(change: Change, place: FeedPlace, nights: readonly PlainDate[], available: boolean) {
  const [start, end] = [nights[0], nights.at(-1)];
  if (start === undefined || end === undefined) return;
  const { trx } = change;
  const { account_id: accountId, property_id: id, feed_id } = place;
  const range = { accountId, start, end };
  const held = (await takenNights(trx, range, [id])).get(id);
  const others = await nightsClosedByFeeds(trx, range, id, feed_id);
  const byHand = await blocksByHand(trx, range, id);
  const own = (await ownBlocks(trx, range, [id])).get(id);
  const changed = nights.filter((night) => !held?.has(night) && !others.has(night) && !byHand.has(night));
  tellNights(
    change,
    id,
    changed.filter((night) => !own?.has(night)),
    available,
  );
  await cascadeNights(change, id, changed);
}

/** Shows a feed's new name at the nights that it closes. */
export function renameFeed(change: Change, place: FeedPlace): Promise<void> {
  return nameClosures(change.trx, place);
}
