import { ApiError } from '../../kernel/errors.ts';
import type { Principal } from '../context.ts';
import type { CoreDb, CoreTransaction } from '../database.ts';
import { grouped } from '../grouped.ts';
import { maySee, refuseForeign } from '../ownership.ts';
import { isListedOn, listingsNamed, type ReachableListing } from './table.ts';

/** The name of a listing in requests. */
export interface ListingName {
  channel_type: string;
  listing_id: string;
}

/**
 * Returns the listings with these names, in their order.
 * @throws ApiError 403 for another operator's, 404 for one that does not exist or that the caller may not see
 */
export async function requireListings(
  db: CoreDb | CoreTransaction,
  principal: Pick<Principal, 'account' | 'visible'>,
  names: readonly ListingName[],
): Promise<ReachableListing[]> {
  const found = await listingsNamed(db, [...new Set(names.map((name) => name.listing_id))]);
  const byName = grouped(found, nameOf, (one) => one);
  return names.map((name) => {
    const same = byName.get(nameOf(name)) ?? [];
    const own = same.find((one) => one.account_id === principal.account.account_id);
    refuseForeign(own ?? same[0], principal.account, 'listing_id');
    if (!own || !maySee(principal, own.property_id)) {
      throw new ApiError(404, 'listing_id not found.', { field: 'listing_id' });
    }
    return own;
  });
}

function nameOf({ channel_type, listing_id }: ListingName): string {
  return JSON.stringify([channel_type, listing_id]);
}

/** Returns one listing by its name. @throws ApiError 403 or 404 */
export async function requireListing(
  db: CoreDb | CoreTransaction,
  principal: Pick<Principal, 'account' | 'visible'>,
  name: ListingName,
): Promise<ReachableListing> {
  const [listing] = await requireListings(db, principal, [name]);
  if (!listing) throw new Error('one name gave no listing');
  return listing;
}

/**
 * Returns a listing to offer to a guest; undefined on a channel where the account has no known listing.
 * @throws ApiError 403 or 404, 400 when its channel no longer has it
 */
export async function requireOffered(
  db: CoreDb | CoreTransaction,
  principal: Principal,
  name: ListingName,
): Promise<ReachableListing | undefined> {
  if (!(await isListedOn(db, principal.account.account_id, name.channel_type))) return undefined;
  const listing = await requireListing(db, principal, name);
  refuseDeleted(listing);
  return listing;
}

/** Refuses a change of a listing that its channel no longer has. @throws ApiError 400 */
export function refuseDeleted(listing: Pick<ReachableListing, 'shelf_status'>): void {
  if (listing.shelf_status === 'deleted') {
    throw new ApiError(400, 'The listing is deleted on its channel.', { field: 'listing_id' });
  }
}
