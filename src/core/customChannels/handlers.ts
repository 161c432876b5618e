import type { Handler } from '../context.ts';

export const listCustomChannels: Handler<'listCustomChannels'> = async (_input, { db, account }) => {
  const custom_channels = await db
    .selectFrom('custom_channels')
    .where('account_id', '=', account.account_id)
    .select(['id', 'name'])
    .orderBy('id')
    .execute();
  return { custom_channels, total: custom_channels.length };
};
