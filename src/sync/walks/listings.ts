import { listings, readListings } from '../mirror/listings.ts';
import { type ListPage, PAGE_ROWS, walkList } from './list.ts';
import { type Asking, numbered, type Walk } from './walk.ts';

export const listingsWalk: Walk = {
  resource: listings.name,
  rows: listings,
  cost: (rows) => Math.ceil(rows / (PAGE_ROWS - 1)) + 1,
  async *steps(asking) {
    let total = 0;
    const list = { first: { bound: '', offset: 0 }, fetch: (at: { offset: number }) => fetchPage(asking, at.offset) };
    for await (const { page, number, fresh, total: told } of walkList(list)) {
      total = told;
      yield { rows: fresh, visit: (visitor) => visitor.rows(listings, page, number) };
    }
    return { total };
  },
  async count({ client, purpose, signal }) {
    return (await client.call('listListings', { limit: 1 }, { purpose, signal })).data.total;
  },
};

async function fetchPage(asking: Asking, offset: number): Promise<ListPage> {
  const { answer, number } = await numbered(asking, (options) =>
    asking.client.call('listListings', { offset, limit: PAGE_ROWS }, options),
  );
  const rows = answer.data.listings;
  return {
    page: readListings(rows, answer, asking.reading),
    number,
    places: rows.map((row) => ({ at: '', id: row.id })),
    answered: rows.length + answer.quarantined.length,
    total: answer.data.total,
  };
}
