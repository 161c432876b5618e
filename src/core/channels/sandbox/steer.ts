import { ApiError } from '../../../kernel/errors.ts';
import type { Change } from '../../context.ts';
import type { ListingRow, SandboxListingRow } from '../../database.ts';
import type { CalendarUpdate, Settings } from '../adapter.ts';
import { writeUpdate } from './channel.ts';
import { firstSettings, writtenSettings } from './settings.ts';
import { addShown, changeShown, lockShown } from './table.ts';

// Actions on a sandbox marketplace itself. They announce nothing: the service has to find the changes.

type Name = Pick<ListingRow, 'account_id' | 'id'>;

/** Default share of a marketplace in percent. */
const COMMISSION_PERCENT = 15;

/** Puts a listing on the marketplace. @returns its settings */
export async function showListing(
  change: Change,
  listing: ListingRow,
  start: { base_price?: number; commission_percent?: number },
): Promise<Settings> {
  const settings = firstSettings(listing.channel_type, {
    base_price: start.base_price ?? 0,
    currency: listing.currency,
  });
  await addShown(change.trx, {
    account_id: listing.account_id,
    listing: listing.id,
    settings: JSON.stringify(settings),
    inventory: listing.inventory,
    commission_percent: start.commission_percent ?? COMMISSION_PERCENT,
    next_outcome: null,
  });
  return settings;
}

/** Makes the next request that changes this listing fail or end with a warning. */
export async function steerNextPush(
  change: Change,
  listing: Name,
  outcome: NonNullable<SandboxListingRow['next_outcome']>,
): Promise<void> {
  await requireShown(change, listing);
  await changeShown(change.trx, listing, { next_outcome: outcome });
}

/** Changes days on the marketplace directly. */
export async function editChannelCalendar(change: Change, listing: Name, update: CalendarUpdate): Promise<void> {
  await requireShown(change, listing);
  await writeUpdate(change.trx, listing, update);
}

/** Changes prices and rules on the marketplace directly. */
export async function editChannelSettings(change: Change, listing: Name, changes: Settings): Promise<void> {
  const shown = await requireShown(change, listing);
  const settings = writtenSettings(JSON.parse(shown.settings) as Settings, changes);
  await changeShown(change.trx, listing, { settings: JSON.stringify(settings) });
}

async function requireShown({ trx }: Change, listing: Name): Promise<SandboxListingRow> {
  const shown = await lockShown(trx, listing);
  if (!shown) throw new ApiError(404, 'The channel does not know the listing.');
  return shown;
}
