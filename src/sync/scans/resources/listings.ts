import { listings, readListings } from '../../tables/listings/listings.ts';
import { optionalList } from '../pagedList.ts';

export const listingsScan = optionalList(listings, async (client, at, reading, options) => {
  const answer = await client.call('listListings', at, options);
  const { listings: rows, total } = answer.data;
  return { page: readListings(rows, answer, reading), total };
});
