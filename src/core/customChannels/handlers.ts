import type { Handler } from '../context.ts';
import { customChannelsOf } from './table.ts';

export const listCustomChannels: Handler<'listCustomChannels'> = async (_input, { db, account }) => {
  const custom_channels = await customChannelsOf(db, account.account_id);
  return { custom_channels, total: custom_channels.length };
};
