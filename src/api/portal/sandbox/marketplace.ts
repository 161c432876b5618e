import { z } from 'zod';
import { currency } from '../../../contract/fields.ts';
import { restrictions } from '../../../contract/listings.ts';
import { changeAuthStatus } from '../../../core/channels/accounts.ts';
import { changeShelfStatus } from '../../../core/channels/listings.ts';
import { channelAccountLife, listingLife } from '../../../core/channels/rules.ts';
import { triggersOf } from '../../../kernel/transitions.ts';
import { steerNextPush } from '../../../sandbox/channel/steer.ts';
import { editCalendar, editSettings } from '../../../sandbox/calendar.ts';
import { connectAccount, listingNamed, putOnMarketplace } from '../../../sandbox/listing.ts';
import { channelType, days, listing, name, price, sandboxAction } from './action.ts';

const authTriggers = triggersOf(channelAccountLife);
const shelfTriggers = triggersOf(listingLife);
const MOST_RANGES = 200;
const ranges = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .array(z.strictObject({ ...days, ...shape }))
    .min(1)
    .max(MOST_RANGES)
    .optional();

/** Actions of a host or of the marketplace itself. */
export const marketplaceActions = [
  sandboxAction({
    path: 'channel_accounts',
    input: {
      channel_type: channelType,
      username: name.optional(),
      origin_account_id: name.optional(),
      authorize: z.boolean().default(true),
    },
    run: async (change, input) => ({ channel_account_id: await connectAccount(change, input) }),
  }),
  sandboxAction({
    path: 'channel_accounts/:channel_account_id/auth_status',
    input: { channel_account_id: z.int(), trigger: z.enum(authTriggers) },
    run: async (change, { channel_account_id, trigger }) => {
      await changeAuthStatus(change, channel_account_id, trigger);
      return { channel_account_id };
    },
  }),
  sandboxAction({
    path: 'listings',
    input: {
      channel_account_id: z.int(),
      property_id: z.int(),
      listing_id: name.optional(),
      title: name.optional(),
      currency: currency.optional(),
      inventory: z.int().min(0).max(999).optional(),
      ratio: z.int().min(1).max(1_000).optional(),
      readonly: z.boolean().optional(),
      base_price: price.optional(),
      commission_percent: z.number().min(0).max(100).optional(),
      trigger: z.enum(['publish', 'draft', 'find']).optional(),
    },
    run: putOnMarketplace,
  }),
  sandboxAction({
    path: 'listings/shelf_status',
    input: { ...listing, trigger: z.enum(shelfTriggers) },
    run: async (change, { trigger, ...named }) => {
      const { id } = await listingNamed(change, named);
      await changeShelfStatus(change, id, trigger);
      return named;
    },
  }),
  sandboxAction({
    path: 'listings/next_push',
    input: { ...listing, outcome: z.enum(['failed', 'warning']) },
    run: async (change, { outcome, ...named }) => {
      await steerNextPush(change, await listingNamed(change, named), outcome);
      return { next_push: outcome };
    },
  }),
  sandboxAction({
    path: 'listings/calendar',
    input: {
      ...listing,
      prices: ranges({ price }),
      inventories: ranges({ inventory: z.int().min(0).max(999) }),
      restrictions: ranges(restrictions.partial().shape),
    },
    run: async (change, { channel_type, listing_id, prices, inventories, restrictions: rules }) => {
      const edited = await listingNamed(change, { channel_type, listing_id });
      return { days: await editCalendar(change, edited, { prices, inventories, restrictions: rules }) };
    },
  }),
  sandboxAction({
    path: 'listings/settings',
    input: { ...listing, settings: z.record(z.string(), z.unknown()) },
    run: async (change, { settings, ...named }) => {
      await editSettings(change, await listingNamed(change, named), settings);
      return named;
    },
  }),
];
