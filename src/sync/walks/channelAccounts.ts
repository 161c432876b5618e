import { channelAccounts, readChannelAccounts } from '../mirror/channelAccounts.ts';
import { type ListPage, PAGE_ROWS, walkList } from './list.ts';
import { type Asking, numbered, type Walk } from './walk.ts';

export const channelAccountsWalk: Walk = {
  resource: channelAccounts.name,
  rows: channelAccounts,
  cost: (rows) => Math.ceil(rows / (PAGE_ROWS - 1)) + 1,
  async *steps(asking) {
    let total = 0;
    const list = { first: { bound: '', offset: 0 }, fetch: (at: { offset: number }) => fetchPage(asking, at.offset) };
    for await (const { page, number, fresh, total: told } of walkList(list)) {
      total = told;
      yield { rows: fresh, visit: (visitor) => visitor.rows(channelAccounts, page, number) };
    }
    return { total };
  },
  async count({ client, purpose, signal }) {
    return (await client.call('listChannelAccounts', { limit: 1 }, { purpose, signal })).data.total;
  },
};

async function fetchPage(asking: Asking, offset: number): Promise<ListPage> {
  const { answer, number } = await numbered(asking, (options) =>
    asking.client.call('listChannelAccounts', { offset, limit: PAGE_ROWS }, options),
  );
  const rows = answer.data.channel_accounts;
  return {
    page: readChannelAccounts(rows, answer, asking.reading),
    number,
    places: rows.map((row) => ({ at: '', id: row.id })),
    answered: rows.length + answer.quarantined.length,
    total: answer.data.total,
  };
}
