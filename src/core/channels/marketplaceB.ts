import { marketplaceBSettings } from '../../contract/priceRules.ts';
import type { Handler } from '../context.ts';
import type { Settings } from './adapter.ts';
import { calendarsOf } from './adapters.ts';
import { requireReachable } from './marketplaceA.ts';
import { refuseDeleted, requireListing } from './require.ts';
import { checkMarketplaceB } from './settingsRules.ts';
import { recordRules, SNAPSHOT_CHANNEL as CHANNEL } from './snapshot.ts';

export const getMarketplaceBRules: Handler<'getMarketplaceBRules'> = async (input, context) => {
  const listing = await requireListing(context.db, context, { channel_type: CHANNEL, ...input });
  const settings = marketplaceBSettings.parse(listing.rules === null ? {} : JSON.parse(listing.rules));
  return { ...settings, settings };
};

export const updateMarketplaceBRules: Handler<'updateMarketplaceBRules'> = async (input, context) => {
  const listing = await requireListing(context.db, context, { channel_type: CHANNEL, listing_id: input.listing_id });
  refuseDeleted(listing);
  requireReachable(listing);
  checkMarketplaceB(input.settings, listing.currency);
  const settings: Settings = await calendarsOf(context.core, listing).writeSettings(listing, input.settings);
  await context.change(async (change) => {
    await recordRules(change, listing, settings);
    change.audit('updateMarketplaceBRules', `${CHANNEL}/${listing.listing_id}`);
  });
};
