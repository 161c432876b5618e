import type { z } from 'zod';
import type { channelAccount } from '../../contract/channelAccounts.ts';
import type { calendarDay, listing } from '../../contract/listings.ts';
import type { pricingRatio } from '../../contract/pricingRatios.ts';
import { withOffset } from '../../kernel/dates.ts';
import { wireAmount } from '../../kernel/money.ts';
import type { ChannelAccountRow, ListingRow } from '../database.ts';
import type { ChannelDay } from './adapter.ts';
import type { ShownListing } from './table.ts';

/** Returns the public form of a channel account, with moments in the operator's zone. */
export function presentChannelAccount(row: ChannelAccountRow, zone: string): z.output<typeof channelAccount> {
  return {
    id: row.id,
    channel_type: row.channel_type,
    username: row.username,
    origin_account_id: row.origin_account_id,
    auth_status: row.auth_status,
    created_at: withOffset(row.created_at, zone),
  };
}

/** Returns the public form of a listing, with moments in the operator's zone. */
export function presentListing(row: ShownListing, zone: string): z.output<typeof listing> {
  return {
    id: row.id,
    listing_id: row.listing_id,
    channel_type: row.channel_type,
    channel_account_id: row.channel_account_id,
    origin_account_id: row.origin_account_id,
    url: row.url,
    title: row.title,
    cover: row.cover,
    inventory: row.inventory,
    shelf_status: row.shelf_status,
    metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    created_at: withOffset(row.created_at, zone),
    updated_at: withOffset(row.updated_at, zone),
  };
}

/** Ratio of a listing whose prices cannot be set. */
const NO_RATIO = -1;

export function presentRatio(row: ListingRow): z.output<typeof pricingRatio> {
  const readonly = row.readonly === 1;
  return {
    channel_type: row.channel_type,
    listing_id: row.listing_id,
    listing_title: row.title,
    ratio: readonly ? NO_RATIO : row.ratio,
    readonly,
  };
}

export function presentDay(day: ChannelDay, currency: string): z.output<typeof calendarDay> {
  return { ...day, price: day.price === null ? null : wireAmount(day.price, currency) };
}
