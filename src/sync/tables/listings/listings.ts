import { listing } from '../../../contract/listings.ts';
import { listingKey, listingName } from './calendar.ts';
import { type MirrorResource, rowReader } from '../rows/resource.ts';
import { instantFrom } from '../wireValues.ts';

export const readListings = rowReader({
  schema: listing,
  keyFields: ['listing_id', 'channel_type'],
  rowKey: (one) => listingKey(one),
  key: (one) => listingKey(one),
  columns: (one, { zone }) => ({
    listing: listingKey(one),
    channel_type: one.channel_type,
    listing_id: one.listing_id,
    id: one.id,
    channel_account_id: one.channel_account_id,
    origin_account_id: one.origin_account_id,
    title: one.title,
    url: one.url,
    cover: one.cover,
    inventory: one.inventory,
    shelf_status: one.shelf_status,
    created_at: instantFrom(one.created_at, zone),
    updated_at: instantFrom(one.updated_at, zone),
  }),
});

export const listings: MirrorResource = {
  name: 'listing',
  table: 'listings',
  keyColumn: 'listing',
  groupColumn: 'listing',
  async lookUp(client, reading, key, options) {
    const answer = await client.call('listListings', { ...listingName(key), limit: 1 }, options);
    return readListings(answer.data.listings, answer, reading);
  },
};
