import type { Handler } from '../context.ts';

export const getAccount: Handler<'getAccount'> = async (_input, { account }) => ({
  account_id: account.account_id,
  name: account.name,
  time_zone: account.time_zone,
  currency: account.currency,
});
