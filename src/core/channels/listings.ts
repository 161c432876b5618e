import { CALENDAR_YEARS_AHEAD } from '../../contract/listings.ts';
import { addYears, dateIn, instantOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Currency } from '../../kernel/money.ts';
import { next, type TriggerOf } from '../../kernel/transitions.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import { lockAccount } from '../accounts/lock.ts';
import { closedNights } from '../availabilities/closed.ts';
import { closeUnlisted, openListed } from '../availabilities/unlisted.ts';
import type { Change } from '../context.ts';
import { type CoreDb, flag, type ListingRow } from '../database.ts';
import { grouped } from '../grouped.ts';
import { requireProperty } from '../ownership.ts';
import { requireMove } from '../requireMove.ts';
import { stretchesOf } from './cascade.ts';
import { isSold, listingLife } from './rules.ts';
import { addListing, changeListing, listingById, listingsOf, lockChannelAccount } from './table.ts';
import { queueTasks } from './tasks/queue.ts';

export interface ListingDraft {
  channel_account_id: number;
  property_id: number;
  /** Id of the listing on its channel. */
  listing_id: string;
  title: string;
  url?: string;
  cover?: string;
  /** Default: that of the property. */
  currency?: Currency;
  /** Units that can be booked on a free night; default 1. */
  inventory?: number;
  /** Percentage of a base price; default 100. */
  ratio?: number;
  readonly?: boolean;
  metadata?: Record<string, unknown>;
  /** Trigger that creates the listing; default `publish`. */
  trigger?: 'publish' | 'draft' | 'find';
}

/**
 * Adds a listing of a property to a channel account, and queues the push of nights that are closed already.
 * @throws ApiError 403 or 404 for a property or channel account of another account
 */
export async function createListing(change: Change, draft: ListingDraft): Promise<ListingRow> {
  const { trx, account, now } = change;
  const property = await requireProperty(trx, account, { visible: null }, draft.property_id);
  const owner = await lockChannelAccount(trx, account.account_id, draft.channel_account_id);
  if (!owner) throw new ApiError(404, 'channel_account_id not found.', { field: 'channel_account_id' });
  const at = instantOf(now);
  const row: ListingRow = {
    account_id: account.account_id,
    id: await nextIds(trx, 'listings'),
    listing_id: draft.listing_id,
    channel_type: owner.channel_type,
    channel_account_id: owner.id,
    property_id: property.id,
    title: draft.title,
    url: draft.url ?? '',
    cover: draft.cover ?? '',
    currency: draft.currency ?? property.currency,
    inventory: draft.inventory ?? 1,
    ratio: draft.ratio ?? 100,
    readonly: flag(draft.readonly ?? false),
    shelf_status: next(listingLife, null, draft.trigger ?? 'publish'),
    metadata: JSON.stringify(draft.metadata ?? {}),
    rules: null,
    rules_read_at: null,
    created_at: at,
    updated_at: at,
  };
  await addListing(trx, row);
  change.audit('createListing', `${row.channel_type}/${row.listing_id}`);
  const today = dateIn(property.time_zone, now);
  const range = { accountId: account.account_id, start: today, end: addYears(today, CALENDAR_YEARS_AHEAD) };
  const ranges = stretchesOf([...(await closedNights(trx, range, property.id))]);
  if (ranges.length > 0) {
    await queueTasks(change, [{ subject: 'listing', subject_id: row.id, work: { kind: 'availability', ranges } }]);
  }
  if (row.shelf_status === 'on') await openListed(change, property);
  return row;
}

/**
 * Moves a listing by a trigger of its table of transitions. A property whose last listing leaves the shelf is closed
 * until one of its listings is published again.
 * @throws ApiError 404, or 400 when the trigger is impossible now
 */
export async function changeShelfStatus(
  change: Change,
  id: number,
  trigger: TriggerOf<typeof listingLife>,
): Promise<void> {
  const { trx, account, now } = change;
  // The lock stops two listings of one property from leaving at once, each relying on the other.
  await lockAccount(trx, account.account_id);
  const row = await listingById(trx, account.account_id, id);
  if (!row) throw new ApiError(404, 'listing not found.');
  const shelf_status = requireMove(listingLife, row.shelf_status, trigger);
  await changeListing(trx, row, { shelf_status, updated_at: instantOf(now) });
  change.audit('changeShelfStatus', `${row.channel_type}/${row.listing_id} ${shelf_status}`);
  const property = { id: row.property_id, time_zone: row.time_zone };
  if (shelf_status === 'on') return openListed(change, property);
  const others = (await listingsOf(trx, account.account_id, [row.property_id])).filter((other) => other.id !== id);
  const wasSold = isSold(row.shelf_status);
  if (wasSold && !isSold(shelf_status) && !others.some((other) => isSold(other.shelf_status))) {
    await closeUnlisted(change, property);
  }
}

/** Returns the channels of properties, per property. */
export async function channelsOf(db: CoreDb, accountId: AccountId, properties: readonly { id: number }[]) {
  const rows = await listingsOf(
    db,
    accountId,
    properties.map(({ id }) => id),
  );
  const channels = new Map<number, { channel_type: string; listing_id: string; currency: string }[]>();
  for (const { property_id, channel_type, listing_id, currency } of rows) {
    const own = channels.get(property_id) ?? [];
    channels.set(property_id, [...own, { channel_type, listing_id, currency }]);
  }
  return channels;
}

/** Returns pictures of the listings of properties, per property. Listings without one are left out. */
export async function coversOf(
  db: CoreDb,
  accountId: AccountId,
  propertyIds: readonly number[],
): Promise<Map<number, { listing_id: string; cover: string }[]>> {
  const rows = await listingsOf(db, accountId, propertyIds);
  return grouped(
    rows.filter(({ cover }) => cover !== ''),
    (row) => row.property_id,
    ({ listing_id, cover }) => ({ listing_id, cover }),
  );
}
