import { z } from 'zod';
import { daysBetween } from '../kernel/dates.ts';
import {
  channelType,
  currency,
  date,
  id,
  listOf,
  none,
  nothing,
  openEnum,
  paging,
  shownDate,
  timestamp,
} from './fields.ts';
import { operation } from './operation.ts';

/** Visibility of a listing on its channel. */
export const shelfStatuses = ['on', 'off', 'deleted', 'unknown'] as const;
/** One of {@link shelfStatuses}. */
export type ShelfStatus = (typeof shelfStatuses)[number];
/** Most listings in one read of calendars. */
export const CALENDAR_LISTINGS = 100;
/** Most days in one read of calendars. */
export const CALENDAR_DAYS = 366;
/** Most ranges in one write. */
export const CALENDAR_ENTRIES = 1_000;
/** Years ahead that a calendar can be written. */
export const CALENDAR_YEARS_AHEAD = 3;

const givenChannel = channelType.min(1).max(50);
const listingId = z.string().min(1).max(100);

/** A property as a channel offers it. */
export const listing = z
  .object({
    id: z.int(),
    listing_id: z.string(),
    channel_type: channelType,
    channel_account_id: z.int(),
    origin_account_id: z.string(),
    url: z.string(),
    title: z.string(),
    cover: z.string(),
    inventory: z.int(),
    shelf_status: openEnum(shelfStatuses, 'shelf_status'),
    metadata: z.record(z.string(), z.unknown()).describe('As the channel has it.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ family: 'listing', schemaName: 'Listing' });

/** Lists listings, newest first. */
export const listListings = operation({
  method: 'GET',
  path: '/listings',
  params: none,
  query: z.object({
    ...paging,
    channel_account_id: id('Listings of one channel account.').optional(),
    listing_id: listingId.optional().describe('One listing.'),
    channel_type: givenChannel.optional().describe('Listings on one channel.'),
  }),
  body: null,
  data: listOf('listings', listing),
  scope: 'read',
  rate: 'default',
  tool: { name: 'search_listings', category: 'property' },
  since: '3.2.0',
  summary: 'Postings of properties on channels, newest first.',
  example: { channel_type: 'marketplace_a' },
  errors: [],
  emits: [],
});

const stayLength = z.int().min(1).max(999).nullable();
const advance = z
  .string()
  .regex(/^\d{1,3}D\d{1,2}H$/, { error: 'must be days and hours such as 1D12H' })
  .nullable();

/** Restrictions for stays that begin, end or run over a date; null: none. */
const restrictionFields = {
  closed_on_arrival: z.boolean(),
  closed_on_departure: z.boolean(),
  min_stay_on_arrival: stayLength,
  max_stay_on_arrival: stayLength,
  min_stay_through: stayLength,
  max_stay_through: stayLength,
  exact_stay_on_arrival: stayLength,
  min_advance_reservation: advance,
  max_advance_reservation: advance,
} as const;
/** Names of the restrictions. */
export const restrictionNames = Object.keys(restrictionFields) as (keyof typeof restrictionFields)[];

/**
 * Restrictions as they are read. Answers are read tolerantly: a deployment may leave out fields that it does not know.
 */
export const restrictions = z
  .object({
    closed_on_arrival: z.boolean().default(false),
    closed_on_departure: z.boolean().default(false),
    min_stay_on_arrival: z.int().nullable().default(null),
    max_stay_on_arrival: z.int().nullable().default(null),
    min_stay_through: z.int().nullable().default(null),
    max_stay_through: z.int().nullable().default(null),
    exact_stay_on_arrival: z.int().nullable().default(null),
    min_advance_reservation: z.string().nullable().default(null),
    max_advance_reservation: z.string().nullable().default(null),
  })
  .meta({ schemaName: 'Restrictions' });
/** Restrictions of one date. */
export type Restrictions = z.output<typeof restrictions>;

/** Price, inventory and restrictions of a listing on one date. */
export const calendarDay = z
  .object({
    date: shownDate,
    price: z.number().nullable().describe('In the listing’s currency; null while the channel has none.'),
    inventory: z.int(),
    restrictions,
  })
  .meta({ schemaName: 'CalendarDay' });
/** The calendar of one listing. */
export const listingCalendar = z
  .object({
    channel_type: channelType,
    listing_id: z.string(),
    calendar: z.array(calendarDay),
  })
  .meta({ family: 'listing_calendar', schemaName: 'ListingCalendar' });

type Range = { start_date: string; end_date: string };
const inOrder = ({ start_date, end_date }: Range) => start_date <= end_date;
const inOrderRule = { path: ['start_date'], error: 'must not be after end_date' };

/**
 * Reads price, inventory and restrictions of listings day by day, as their channels show them. The request only reads,
 * although it is a POST. For the regional marketplace the price is the floor price: the host's share after commission.
 */
export const listCalendars = operation({
  method: 'POST',
  path: '/listings/calendar',
  params: none,
  query: none,
  body: z
    .object({
      start_date: date,
      end_date: date,
      listings: z
        .array(z.object({ channel_type: givenChannel, listing_id: listingId }).meta({ schemaName: 'ListingName' }))
        .min(1)
        .max(CALENDAR_LISTINGS)
        .optional(),
      channel_type: givenChannel.optional().describe('With listing_id in place of listings: that one.'),
      listing_id: listingId.optional(),
    })
    .refine((body) => body.listings !== undefined || body.channel_type !== undefined || body.listing_id !== undefined, {
      path: ['listings'],
      error: 'is required unless channel_type and listing_id are given',
    })
    .refine((body) => body.listings !== undefined || body.channel_type !== undefined, {
      path: ['channel_type'],
      error: 'is required with listing_id',
    })
    .refine((body) => body.listings !== undefined || body.listing_id !== undefined, {
      path: ['listing_id'],
      error: 'is required with channel_type',
    })
    .refine(inOrder, inOrderRule)
    .refine(({ start_date, end_date }) => daysBetween(start_date, end_date) < CALENDAR_DAYS, {
      path: ['end_date'],
      error: `is more than ${CALENDAR_DAYS} days from start_date, both included`,
    }),
  data: z.object({ listings: z.array(listingCalendar) }),
  scope: 'read',
  rate: 'listing_write',
  tool: { name: 'search_listing_calendars', category: 'calendar' },
  since: '3.2.0',
  summary: 'Price, inventory and restrictions of listings day by day, as their channels show them.',
  notes:
    'A read, though it is a POST. For the regional marketplace the price is the floor price: what the host receives after commission.',
  example: {
    start_date: '2027-03-01',
    end_date: '2027-03-31',
    listings: [{ channel_type: 'marketplace_a', listing_id: 'L12' }],
  },
  errors: [403, 404, 502],
  emits: [],
});

const priceRange = z
  .object({ start_date: date, end_date: date, price: z.number().positive() })
  .refine(inOrder, inOrderRule)
  .meta({ family: 'price_entry', schemaName: 'PriceRange' });
const priceEntry = z
  .object({
    channel_type: givenChannel,
    listing_id: listingId,
    start_date: date,
    end_date: date,
    currency: currency.optional().describe('Must be the listing’s.'),
    price: z.number().positive(),
  })
  .refine(inOrder, inOrderRule)
  .meta({ family: 'price_entry', schemaName: 'PriceEntry' });

/** Sets selling prices of listings. The channels receive them shortly after. */
export const updatePrices = operation({
  method: 'POST',
  path: '/listings/prices',
  params: none,
  query: none,
  body: z
    .object({
      channel_type: givenChannel.optional(),
      listing_id: listingId.optional(),
      prices: z.array(priceRange).min(1).max(CALENDAR_ENTRIES).optional(),
      entries: z.array(priceEntry).min(1).max(CALENDAR_ENTRIES).optional().describe('Instead: many listings at once.'),
    })
    .refine((body) => body.entries === undefined || body.prices === undefined, {
      path: ['entries'],
      error: 'excludes prices; send one of them',
      params: { code: 400 },
    })
    .refine((body) => body.entries !== undefined || body.channel_type !== undefined, {
      path: ['channel_type'],
      error: 'is required unless entries is given',
    })
    .refine((body) => body.entries !== undefined || body.listing_id !== undefined, {
      path: ['listing_id'],
      error: 'is required unless entries is given',
    })
    .refine((body) => body.entries !== undefined || body.prices !== undefined, {
      path: ['prices'],
      error: 'is required unless entries is given',
    }),
  data: z
    .object({
      skipped: z
        .array(
          z
            .object({ channel_type: givenChannel, listing_id: listingId, reason: openEnum(['readonly']) })
            .meta({ schemaName: 'SkippedListing' }),
        )
        .describe('Listings of the request whose prices are readonly: nothing is pushed to them.'),
    })
    .optional(),
  scope: 'confirm',
  rate: 'listing_write',
  tool: { name: 'update_listing_prices', category: 'calendar' },
  since: '3.2.0',
  summary: 'Sets selling prices of listings; the channels take them shortly after.',
  notes:
    'Amounts are in the listing’s currency. Of ranges that overlap, the later one counts. Listings with readonly prices ' +
    'are skipped and named; where all are, nothing is done and the answer is 422.',
  example: {
    channel_type: 'marketplace_a',
    listing_id: 'L12',
    prices: [{ start_date: '2027-03-01', end_date: '2027-03-05', price: 120 }],
  },
  errors: [400, 403, 404],
  emits: ['listing_calendar_updated'],
});

/** Sets the number of units of a listing that can be booked. Later changes of the master calendar can overwrite it. */
export const updateInventories = operation({
  method: 'POST',
  path: '/listings/inventories',
  params: none,
  query: none,
  body: z.object({
    channel_type: givenChannel,
    listing_id: listingId,
    inventories: z
      .array(
        z
          .object({ start_date: date, end_date: date, inventory: z.int().min(0).max(9_999) })
          .refine(inOrder, inOrderRule)
          .meta({ schemaName: 'InventoryRange' }),
      )
      .min(1)
      .max(CALENDAR_ENTRIES),
  }),
  data: nothing,
  scope: 'confirm',
  rate: 'listing_write',
  tool: { name: 'update_listing_inventories', category: 'calendar' },
  since: '3.2.0',
  summary: 'Sets how many units of a listing can be booked; the channel takes it shortly after.',
  notes: 'The master calendar stays as it is, and its later changes can overwrite what is set here.',
  example: {
    channel_type: 'marketplace_a',
    listing_id: 'L12',
    inventories: [{ start_date: '2027-03-01', end_date: '2027-03-05', inventory: 1 }],
  },
  errors: [400, 403, 404],
  emits: ['listing_calendar_updated'],
});

const restrictionRange = z
  .object({
    start_date: date,
    end_date: date,
    ...z.object(restrictionFields).partial().shape,
  })
  .refine(inOrder, inOrderRule)
  .refine((range) => restrictionNames.some((name) => range[name] !== undefined), {
    error: `names none of ${restrictionNames.join(', ')}`,
  })
  .refine((range) => notAbove(range.min_stay_on_arrival, range.max_stay_on_arrival), {
    path: ['min_stay_on_arrival'],
    error: 'must not be more than max_stay_on_arrival',
  })
  .refine((range) => notAbove(range.min_stay_through, range.max_stay_through), {
    path: ['min_stay_through'],
    error: 'must not be more than max_stay_through',
  })
  .meta({ schemaName: 'RestrictionRange' });

function notAbove(least: number | null | undefined, most: number | null | undefined): boolean {
  return least == null || most == null || least <= most;
}

/**
 * Sets rules for arrival, departure and length of stay. Fields that are left out stay, null removes a restriction, and
 * no event announces the change.
 */
export const updateRestrictions = operation({
  method: 'POST',
  path: '/listings/restrictions',
  params: none,
  query: none,
  body: z.object({
    channel_type: givenChannel,
    listing_id: listingId,
    restrictions: z.array(restrictionRange).min(1).max(CALENDAR_ENTRIES),
  }),
  data: nothing,
  scope: 'confirm',
  rate: 'listing_write',
  tool: { name: 'update_listing_restrictions', category: 'calendar' },
  since: '3.2.0',
  summary: 'Sets who may arrive, leave or stay how long; the channel takes it shortly after.',
  notes: 'Only what is given changes; null removes a restriction. No event is sent.',
  example: {
    channel_type: 'marketplace_a',
    listing_id: 'L12',
    restrictions: [{ start_date: '2027-03-01', end_date: '2027-03-05', closed_on_arrival: true }],
  },
  errors: [400, 403, 404],
  emits: [],
});
