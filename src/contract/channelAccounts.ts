import { z } from 'zod';
import { channelType, id, listOf, none, openEnum, paging, timestamp } from './fields.ts';
import { operation } from './operation.ts';

/** States of a channel account. Only `active` accounts take pushes. */
export const authStatuses = ['active', 'connecting', 'disconnected', 'exception', 'unknown'] as const;
/** One of {@link authStatuses}. */
export type AuthStatus = (typeof authStatuses)[number];
/** The direct booking site. Its accounts are not listed. */
export const BOOKING_SITE = 'booking_site';

/** Channels of the description and of this service. The set is open. */
export const channelTypes = [
  'marketplace_a',
  'marketplace_b',
  'marketplace_c',
  'regional_marketplace',
  BOOKING_SITE,
  'direct',
  'ical',
] as const;

/** The login of an operator on a channel. */
export const channelAccount = z
  .object({
    id: z.int(),
    channel_type: channelType,
    username: z.string(),
    origin_account_id: z.string(),
    auth_status: openEnum(authStatuses, 'auth_status'),
    created_at: timestamp,
  })
  .meta({ family: 'channel_account', schemaName: 'ChannelAccount' });

/** Lists channel accounts, newest first, without those of the direct booking site. */
export const listChannelAccounts = operation({
  method: 'GET',
  path: '/channel_accounts',
  params: none,
  query: z.object({
    ...paging,
    id: id('One account.').optional(),
    channel_type: channelType.max(50).optional().describe('Accounts of one channel.'),
  }),
  body: null,
  data: listOf('channel_accounts', channelAccount),
  scope: 'read',
  rate: 'default',
  tool: { name: 'search_channel_accounts', category: 'property' },
  since: '3.2.0',
  summary: 'Accounts on channels, newest first.',
  notes: 'Accounts of the direct booking site are left out.',
  example: { channel_type: 'marketplace_a' },
  errors: [],
  emits: [],
});
