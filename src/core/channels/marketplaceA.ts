import { blackouts, getMarketplaceARules as declaration } from '../../contract/priceRules.ts';
import { dateIn } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Handler } from '../context.ts';
import type { Settings } from './adapter.ts';
import { calendarsOf } from './adapters.ts';
import { refuseDeleted, requireListing } from './require.ts';
import { unreachableBecause } from './rules.ts';
import { checkMarketplaceA, quotaOf } from './settingsRules.ts';
import type { ReachableListing } from './table.ts';

const CHANNEL = 'marketplace_a';
const shown = declaration.data.shape.settings.partial();
const answered = declaration.data.shape.settings;

export const getMarketplaceARules: Handler<'getMarketplaceARules'> = async (input, context) => {
  const listing = await requireListing(context.db, context, { channel_type: CHANNEL, ...input });
  requireReachable(listing);
  const settings = await calendarsOf(context.core, listing).readSettings(listing);
  const year = dateIn(listing.time_zone, context.now).slice(0, 4);
  const quotas = Object.fromEntries(
    blackouts.map(({ promotion, dates }) => [`${dates}_quota`, quotaOf(settings[promotion], settings[dates], year)]),
  );
  const answer = answered.parse({ ...settings, ...quotas });
  return { ...answer, settings: answer };
};

export const updateMarketplaceARules: Handler<'updateMarketplaceARules'> = async (input, context) => {
  const listing = await requireListing(context.db, context, { channel_type: CHANNEL, listing_id: input.listing_id });
  refuseDeleted(listing);
  requireReachable(listing);
  const channel = calendarsOf(context.core, listing);
  const before = await channel.readSettings(listing);
  const { listing_currency: currency } = shown.parse(before);
  checkMarketplaceA(input.settings, before, currency ?? listing.currency);
  await channel.writeSettings(listing, tidy(input.settings));
  await context.change(async (change) => change.audit('updateMarketplaceARules', `${CHANNEL}/${listing.listing_id}`));
};

/** Sorts blackout dates and removes duplicates. */
function tidy(settings: Settings): Settings {
  const lists = blackouts.flatMap(({ dates }) => {
    const given = settings[dates];
    return Array.isArray(given) ? [[dates, [...new Set(given as string[])].toSorted()] as const] : [];
  });
  return { ...settings, ...Object.fromEntries(lists) };
}

/** @throws ApiError 502 when the channel cannot be asked */
export function requireReachable(listing: ReachableListing): void {
  const problem = unreachableBecause(listing);
  if (problem !== null) throw new ApiError(502, `The channel cannot be reached: ${problem}.`);
}
