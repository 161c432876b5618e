import { channelAccount } from '../../../contract/channelAccounts.ts';
import { type MirrorResource, rowReader } from '../rows/resource.ts';
import { instantFrom } from '../wireValues.ts';

export const readChannelAccounts = rowReader({
  schema: channelAccount,
  keyFields: ['id'],
  rowKey: (one) => one.id,
  key: (one) => String(one.id),
  columns: (one, { zone }) => ({
    id: one.id,
    channel_type: one.channel_type,
    username: one.username,
    origin_account_id: one.origin_account_id,
    auth_status: one.auth_status,
    created_at: instantFrom(one.created_at, zone),
  }),
});

export const channelAccounts: MirrorResource = {
  name: 'channel_account',
  table: 'channel_accounts',
  keyColumn: 'id',
  groupColumn: 'id',
  async lookUp(client, reading, key, options) {
    const answer = await client.call('listChannelAccounts', { id: Number(key), limit: 1 }, options);
    return readChannelAccounts(answer.data.channel_accounts, answer, reading);
  },
};
