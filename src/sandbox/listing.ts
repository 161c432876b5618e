import { BOOKING_SITE } from '../contract/channelAccounts.ts';
import { randomDigits } from './names.ts';
import { changeAuthStatus, connectChannelAccount } from '../core/channels/accounts.ts';
import { listOnMarketplace, type MarketplaceListing } from './channel/steer.ts';
import { requireListing, type ListingName } from '../core/channels/require.ts';
import { ApiError, invalid } from '../kernel/errors.ts';
import type { Change } from '../core/context.ts';
import { requireAmount } from '../core/reservations/require.ts';

/** The marketplace whose listing ids name a room and a rate plan. */
const BY_RATE_PLAN = 'marketplace_c';
const ROOM_AND_PLAN = /^[^-\s]+-[^-\s]+$/;

interface AccountDraft {
  channel_type: string;
  username?: string | undefined;
  origin_account_id?: string | undefined;
  /** false: the connection was requested and is not granted yet. */
  authorize: boolean;
}

/** Connects an account of a sandbox marketplace. @returns its id */
export async function connectAccount(change: Change, draft: AccountDraft): Promise<number> {
  const { random } = change.core;
  const id = await connectChannelAccount(change, {
    channel_type: draft.channel_type,
    username: draft.username ?? `${draft.channel_type} host`,
    origin_account_id: draft.origin_account_id ?? randomDigits(random, 8),
  });
  if (draft.authorize) await changeAuthStatus(change, id, 'authorize');
  return id;
}

/** A listing for a marketplace. Ids and title are generated where none are given. */
type SandboxListing = Pick<MarketplaceListing, 'channel_account_id' | 'property_id'> & {
  [Field in 'listing_id' | 'title']?: string | undefined;
} & {
  [Field in 'inventory' | 'ratio' | 'readonly' | 'base_price' | 'commission_percent' | 'currency' | 'trigger']?:
    | MarketplaceListing[Field]
    | undefined;
};

/** Puts a property on a marketplace. @throws ApiError as {@link listOnMarketplace}, 409 for a name that is taken there */
export async function putOnMarketplace(change: Change, draft: SandboxListing): Promise<ListingName & { id: number }> {
  const { trx, account, core } = change;
  const owner = await trx
    .selectFrom('channel_accounts')
    .where('account_id', '=', account.account_id)
    .where('id', '=', draft.channel_account_id)
    .select('channel_type')
    .executeTakeFirst();
  if (!owner) throw new ApiError(404, 'channel_account_id not found.', { field: 'channel_account_id' });
  const { channel_type } = owner;
  const listing_id = draft.listing_id ?? nameFor(channel_type, () => randomDigits(core.random, 8));
  if (channel_type === BY_RATE_PLAN && !ROOM_AND_PLAN.test(listing_id)) {
    throw invalid('listing_id', 'must be <room>-<rate plan> on marketplace_c');
  }
  const taken = await trx
    .selectFrom('listings')
    .where('account_id', '=', account.account_id)
    .where('channel_type', '=', channel_type)
    .where('listing_id', '=', listing_id)
    .select('id')
    .executeTakeFirst();
  if (taken) throw new ApiError(409, 'The marketplace has a listing of this name.', { field: 'listing_id' });
  const { commission_percent = channel_type === BOOKING_SITE ? 0 : undefined, title = `Listing ${listing_id}` } = draft;
  const given = Object.entries({ ...draft, commission_percent }).filter(([, value]) => value !== undefined);
  const complete = { ...(Object.fromEntries(given) as typeof draft), title, listing_id } as MarketplaceListing;
  const id = await listOnMarketplace(change, complete);
  return { id, channel_type, listing_id };
}

function nameFor(channelType: string, digits: () => string): string {
  return channelType === BY_RATE_PLAN ? `${digits()}-${digits()}` : digits();
}

/** Returns the listing of that name on its marketplace. @throws ApiError 404 when the account has none */
export function listingNamed(change: Change, name: ListingName) {
  return requireListing(change.trx, { account: change.account, visible: null }, name);
}

/**
 * Returns a listing that guests can find and whose reservations reach the host. @throws ApiError 400 for another, 404
 * for none
 */
export async function bookableListing(change: Change, name: ListingName) {
  const listing = await listingNamed(change, name);
  if (listing.shelf_status !== 'on') {
    throw new ApiError(400, `The listing is ${listing.shelf_status}: guests do not find it.`, { field: 'listing_id' });
  }
  if (listing.auth_status !== 'active') {
    throw new ApiError(400, `The channel account is ${listing.auth_status}: nothing of it arrives.`);
  }
  return listing;
}

/** Returns a total in minor units of the listing's currency. @throws ApiError 422 for too many decimals */
export async function priceOf(change: Change, name: ListingName, total: number | undefined) {
  if (total === undefined) return undefined;
  return requireAmount('price', total, (await listingNamed(change, name)).currency);
}
