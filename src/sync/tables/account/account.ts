import { account } from '../../../contract/account.ts';
import { type MirrorResource, rowReader } from '../rows/resource.ts';

const readAccounts = rowReader({
  schema: account,
  keyFields: ['account_id'],
  rowKey: (one) => one.account_id,
  key: (one) => one.account_id,
  columns: (one) => ({
    account_id: one.account_id,
    name: one.name,
    time_zone: one.time_zone,
    currency: one.currency,
  }),
});

export const accounts: MirrorResource = {
  name: 'account',
  table: 'accounts',
  keyColumn: 'account_id',
  groupColumn: 'account_id',
  lists: [
    {
      holds: () => true,
      async read(client, reading, options) {
        const answer = await client.call('getAccount', {}, options);
        return readAccounts([answer.data], answer, reading);
      },
    },
  ],
};
