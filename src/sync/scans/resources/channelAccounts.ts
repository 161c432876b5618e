import { channelAccounts, readChannelAccounts } from '../../tables/listings/channelAccounts.ts';
import { optionalList } from '../pagedList.ts';

export const channelAccountsScan = optionalList(channelAccounts, async (client, at, reading, options) => {
  const answer = await client.call('listChannelAccounts', at, options);
  const { channel_accounts: rows, total } = answer.data;
  return { page: readChannelAccounts(rows, answer, reading), total };
});
