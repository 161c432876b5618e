import type { Input } from '../../contract/index.ts';
import { CALENDAR_YEARS_AHEAD, restrictionNames, type Restrictions } from '../../contract/listings.ts';
import { breather } from '../../kernel/clock.ts';
import { addYears, dateIn } from '../../kernel/dates.ts';
import { invalid } from '../../kernel/errors.ts';
import { type Minor, fromWireAmount } from '../../kernel/money.ts';
import type { Context, Core, Handler } from '../context.ts';
import { closePage, pageOf } from '../cursor.ts';
import { grouped } from '../grouped.ts';
import { membersOf, roomTypeProperties, shownAmong } from '../members.ts';
import { requireProperty } from '../ownership.ts';
import { requireRoomTypes } from '../roomTypes/require.ts';
import type { CalendarUpdate, ChannelDay, Days } from './adapter.ts';
import { calendarsOf } from './adapters.ts';
import { presentChannelAccount, presentDay, presentListing, presentRatio } from './present.ts';
import { refuseDeleted, requireListing, requireListings } from './require.ts';
import { channelAccountPage, listingPage, listingsOf, type ReachableListing } from './table.ts';
import { queueTasks } from './tasks/queue.ts';

export const listChannelAccounts: Handler<'listChannelAccounts'> = async (input, context) => {
  const { db, account, visible } = context;
  const page = pageOf('listChannelAccounts', 'number', input, context);
  const found = await channelAccountPage(db, {
    accountId: account.account_id,
    visible,
    id: input.id,
    channelType: input.channel_type,
    ...page.range,
  });
  const { rows, next } = closePage(page, found, (row) => row.id);
  return {
    channel_accounts: rows.map((row) => presentChannelAccount(row, account.time_zone)),
    total: found.total,
    ...next,
  };
};

export const listListings: Handler<'listListings'> = async (input, context) => {
  const { db, account, visible } = context;
  const page = pageOf('listListings', 'number', input, context);
  const found = await listingPage(db, {
    accountId: account.account_id,
    visible,
    channelAccountId: input.channel_account_id,
    listingId: input.listing_id,
    channelType: input.channel_type,
    ...page.range,
  });
  const { rows, next } = closePage(page, found, (row) => row.id);
  return { listings: rows.map((row) => presentListing(row, account.time_zone)), total: found.total, ...next };
};

export const getPricingRatios: Handler<'getPricingRatios'> = async (input, context) => {
  const { db, account } = context;
  const { link_type, link_id, properties } = await requireLinked(input, context);
  const rows = await listingsOf(db, account.account_id, properties);
  return { link_type, link_id, channels: rows.map(presentRatio) };
};

/**
 * Returns the property or room type of a request, with its properties. @throws ApiError 403 or 404 when the caller may
 * not use it
 */
async function requireLinked(
  { property_id, room_type_id = 0 }: Input<'getPricingRatios'>,
  context: Context,
): Promise<{ link_type: 'property' | 'room_type'; link_id: number; properties: readonly number[] }> {
  const { db, account, visible } = context;
  if (property_id !== undefined) {
    const property = await requireProperty(db, account, context, property_id);
    return { link_type: 'property', link_id: property.id, properties: [property.id] };
  }
  await requireRoomTypes(db, account, context, [room_type_id], 'room_type_id');
  const members = await membersOf(db, roomTypeProperties, account.account_id, [room_type_id]);
  const properties = shownAmong(members.get(room_type_id) ?? [], visible);
  return { link_type: 'room_type', link_id: room_type_id, properties };
}

export const listCalendars: Handler<'listCalendars'> = async (input, context) => {
  const { channel_type = '', listing_id = '', listings: asked = [{ channel_type, listing_id }] } = input;
  const listings = await requireListings(context.db, context, asked);
  const range = { start_date: input.start_date, end_date: input.end_date };
  const wanted = uniqueOf(listings);
  const shown: { channel_type: string; listing_id: string; calendar: ReturnType<typeof presentDay>[] }[] = [];
  const rest = breather();
  for (let start = 0; start < wanted.length; start += CALENDARS_AT_ONCE) {
    const some = wanted.slice(start, start + CALENDARS_AT_ONCE);
    const calendars = await readCalendars(context.core, some, range);
    for (const { id, channel_type, listing_id, currency } of some) {
      const calendar = (calendars.get(id) ?? []).map((day) => presentDay(day, currency));
      shown.push({ channel_type, listing_id, calendar });
      await rest();
    }
  }
  return { listings: shown };
};

/** Calendars of one read. A year of a hundred listings in one read would block other requests. */
const CALENDARS_AT_ONCE = 2;

/** Reads calendars of listings of any channels, by the listing's own id. */
async function readCalendars(core: Core, listings: readonly ReachableListing[], range: Days) {
  const days = new Map<number, readonly ChannelDay[]>();
  for (const own of grouped(
    listings,
    ({ channel_type }) => channel_type,
    (one) => one,
  ).values()) {
    const [first] = own;
    if (!first) continue;
    for (const [id, calendar] of await calendarsOf(core, first).readCalendars(own, range)) days.set(id, calendar);
  }
  return days;
}

function uniqueOf(listings: readonly ReachableListing[]): ReachableListing[] {
  return [...new Map(listings.map((listing) => [listing.id, listing])).values()];
}

export const updatePrices: Handler<'updatePrices'> = async (input, context) => {
  const { channel_type = '', listing_id = '', prices = [], entries } = input;
  const field = entries ? 'entries' : 'prices';
  const wanted = entries ?? prices.map((range) => ({ channel_type, listing_id, currency: undefined, ...range }));
  const listings = await requireListings(context.db, context, wanted);
  const updates = new Map<ReachableListing, (Days & { price: Minor })[]>();
  const byId = new Map(listings.map((listing) => [listing.id, listing]));
  wanted.forEach((entry, index) => {
    const listing = byId.get(listings[index]?.id ?? 0);
    if (!listing) throw new Error('a listing that was found is missing');
    requireCurrency(listing, entry.currency);
    requireAhead(entry, listing, context, `${field}.${index}`);
    const { start_date, end_date } = entry;
    const price = requirePrice(entry.price, listing, `${field}.${index}.price`);
    const own = updates.get(listing);
    if (own) own.push({ start_date, end_date, price });
    else updates.set(listing, [{ start_date, end_date, price }]);
  });
  const pushed = [...updates].filter(([listing]) => listing.readonly !== 1);
  if (pushed.length === 0) throw invalid('listing_id', 'names a listing whose prices are readonly');
  const tasks = pushed.map(([listing, ranges]) => ({ listing, update: { kind: 'prices' as const, ranges } }));
  await submit(context, 'updatePrices', tasks);
  const skipped = [...updates.keys()].filter((listing) => listing.readonly === 1).map(nameOfSkipped);
  return skipped.length === 0 ? undefined : { skipped };
};

function nameOfSkipped({ channel_type, listing_id }: ReachableListing) {
  return { channel_type, listing_id, reason: 'readonly' };
}

export const updateInventories: Handler<'updateInventories'> = async (input, context) => {
  const listing = await requireListing(context.db, context, input);
  input.inventories.forEach((range, index) => requireAhead(range, listing, context, `inventories.${index}`));
  await submit(context, 'updateInventories', [{ listing, update: { kind: 'inventory', ranges: input.inventories } }]);
};

export const updateRestrictions: Handler<'updateRestrictions'> = async (input, context) => {
  const listing = await requireListing(context.db, context, input);
  input.restrictions.forEach((range, index) => requireAhead(range, listing, context, `restrictions.${index}`));
  const ranges = input.restrictions.map(({ start_date, end_date, ...given }) => ({
    start_date,
    end_date,
    restrictions: Object.fromEntries(
      restrictionNames.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
    ) as Partial<Restrictions>,
  }));
  await submit(context, 'updateRestrictions', [{ listing, update: { kind: 'restrictions', ranges } }]);
};

interface Submitted {
  listing: ReachableListing;
  update: CalendarUpdate;
}

/** Stores the tasks of a request. The worker pushes them. */
async function submit(context: Context, action: string, submitted: readonly Submitted[]): Promise<void> {
  for (const { listing } of submitted) refuseDeleted(listing);
  await context.change(async (change) => {
    await queueTasks(
      change,
      submitted.map(({ listing, update }) => ({ subject: 'listing', subject_id: listing.id, work: update })),
    );
    for (const { listing } of submitted) change.audit(action, `${listing.channel_type}/${listing.listing_id}`);
  });
}

function requireCurrency(listing: ReachableListing, currency: string | undefined): void {
  if (currency !== undefined && currency !== listing.currency) {
    throw invalid('currency', `must be the listing’s, ${listing.currency}`);
  }
}

function requirePrice(price: number, listing: ReachableListing, field: string): Minor {
  const minor = fromWireAmount(price, listing.currency);
  if (minor === undefined || minor <= 0) {
    throw invalid(field, `must be a positive amount with no more decimals than ${listing.currency} has`);
  }
  return minor;
}

/** @throws ApiError 422 for days that are past, or beyond the years that calendars reach */
function requireAhead(range: Days, listing: ReachableListing, { now }: Context, field: string): void {
  const today = dateIn(listing.time_zone, now);
  if (range.start_date < today) throw invalid(`${field}.start_date`, 'lies in the past');
  if (range.end_date > addYears(today, CALENDAR_YEARS_AHEAD)) {
    throw invalid(`${field}.end_date`, 'lies more than three years ahead');
  }
}
