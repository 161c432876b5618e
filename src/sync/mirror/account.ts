import { account } from '../../contract/account.ts';
import { type MirrorResource, rowReader } from './resource.ts';

export const readAccounts = rowReader({
  schema: account,
  keyField: 'account_id',
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
};
