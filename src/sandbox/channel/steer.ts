import { ApiError } from '../../kernel/errors.ts';
import type { Change } from '../../core/context.ts';
import type { ListingRow } from '../../core/database.ts';
import type { SandboxListingRow } from './rows.ts';
import type { CalendarUpdate, Settings } from '../../core/channels/adapter.ts';
import { createListing, type ListingDraft } from '../../core/channels/listings.ts';
import { recordRules } from '../../core/channels/snapshot.ts';
import { writeUpdate } from './calendars.ts';
import { firstSettings, writtenSettings } from './settings.ts';
import { addShown, changeShown, lockShown } from './table.ts';

// Actions on a sandbox marketplace itself. They announce nothing: the service has to find the changes.

type Name = Pick<ListingRow, 'account_id' | 'id'>;

/** Default share of a marketplace in percent. */
const COMMISSION_PERCENT = 15;

/** A listing with its start on the marketplace. */
export interface MarketplaceListing extends ListingDraft {
  /** In major units. Without it the marketplace shows no price until one is set. */
  base_price?: number;
  /** The marketplace's share in percent; default 15. */
  commission_percent?: number;
}

/** Creates a listing and puts it on its marketplace. @returns its id @throws ApiError as {@link createListing} */
export async function listOnMarketplace(change: Change, draft: MarketplaceListing): Promise<number> {
  const listing = await createListing(change, draft);
  const { account_id, id, channel_type, currency, inventory } = listing;
  const settings = firstSettings(channel_type, { base_price: draft.base_price ?? 0, currency });
  await addShown(change.trx, {
    account_id,
    listing: id,
    settings: JSON.stringify(settings),
    inventory,
    commission_percent: draft.commission_percent ?? COMMISSION_PERCENT,
    next_outcome: null,
  });
  await recordRules(change, listing, settings);
  return id;
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
