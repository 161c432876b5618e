import type { PlainDate } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { inList } from '../../store/queries/inList.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import type { CoreTransaction } from '../database.ts';

/** A feed of a property. */
export interface FeedPlace {
  account_id: AccountId;
  property_id: number;
  feed_id: number;
  /** What people call it; it stands with the nights that it closes. */
  name: string;
}

/** Returns the nights that one feed closes, in order. */
export async function closuresOfFeed(trx: CoreTransaction, place: FeedPlace): Promise<PlainDate[]> {
  const rows = await ofFeed(trx, place).select('night').orderBy('night').execute();
  return rows.map((row) => row.night);
}

function ofFeed(trx: CoreTransaction, { account_id, property_id, feed_id }: FeedPlace) {
  return trx
    .selectFrom('feed_closures')
    .where('account_id', '=', account_id)
    .where('property_id', '=', property_id)
    .where('feed_id', '=', feed_id);
}

export async function addClosures(trx: CoreTransaction, place: FeedPlace, nights: readonly PlainDate[]): Promise<void> {
  const { account_id, property_id, feed_id, name } = place;
  const rows = nights.map((night) => ({ account_id, property_id, night, feed_id, name }));
  await insertMany(trx, 'feed_closures', rows, { columns: ['account_id', 'property_id', 'night', 'feed_id'] });
}

export async function removeClosures(
  trx: CoreTransaction,
  place: FeedPlace,
  nights: readonly PlainDate[],
): Promise<void> {
  await trx
    .deleteFrom('feed_closures')
    .where('account_id', '=', place.account_id)
    .where('property_id', '=', place.property_id)
    .where('feed_id', '=', place.feed_id)
    .where((where) => inList(where.ref('night'), nights))
    .execute();
}

/** Gives the nights that a feed closes its present name. */
export async function nameClosures(trx: CoreTransaction, { name, ...place }: FeedPlace): Promise<void> {
  await trx
    .updateTable('feed_closures')
    .set({ name })
    .where('account_id', '=', place.account_id)
    .where('property_id', '=', place.property_id)
    .where('feed_id', '=', place.feed_id)
    .execute();
}
