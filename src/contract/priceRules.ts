import { z } from 'zod';
import { currency, date, none, nothing } from './fields.ts';
import { operation } from './operation.ts';

/** Most blackout dates of one discount in a calendar year. */
export const BLACKOUT_DATES_PER_YEAR = 30;
/** The two discounts that have blackout dates, by the names of their settings. */
export const blackouts = [
  { promotion: 'high_rated_guest_discount', dates: 'high_rated_guest_discount_blackout_dates' },
  { promotion: 'mobile_only_discount', dates: 'mobile_only_discount_blackout_dates' },
] as const;
/** Names of the weekdays. The index is that of JavaScript: 0 is Sunday. */
export const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

const FLEXIBLE = 'FLEXIBLE';
const listingId = z.string().min(1).max(100);
const price = z.number().positive();
const fee = z.number().min(0);
const percent = z.number().min(0).max(99);
const nights = z.int().min(1).max(1_125);
const hour = (from: number, to: number) => z.int().min(from).max(to);
const discount = z.object({ discount: percent, days: z.int().min(0).max(730) }).meta({ schemaName: 'Discount' });
const discounts = z.union([discount, z.array(discount).max(20)]);
const dayOfWeek = z.int().min(0).max(6).describe('0 is Sunday.');
const blackoutDates = z.array(date).max(366);

/** Settings of a listing on marketplace A. Each can be given alone. */
const marketplaceA = z.object({
  listing_currency: currency,
  base_price: price,
  weekend_price: fee.describe('Friday and Saturday nights; 0: as the others.'),
  cleaning_fee: fee,
  short_term_cleaning_fee: fee,
  security_deposit: fee,
  pet_fee: fee,
  pet_fee_obj: z
    .object({ amount: fee, charge_type: z.string().max(50), charge_period: z.string().max(50) })
    .meta({ assumed: true, schemaName: 'PetFee' }),
  extra_guest_fee: fee,
  max_guests: z.int().min(1).max(99),
  early_bird_discount: discounts,
  last_minute_discount: discounts,
  long_term_discount: discounts,
  check_in_start_time: z.union([hour(8, 26), z.literal(FLEXIBLE)]),
  check_in_end_time: z.union([hour(9, 26), z.literal(FLEXIBLE)]),
  check_out_before: hour(0, 23),
  instant_booking: z.boolean(),
  minimum_stay: nights,
  maximum_stay: nights,
  advance_notice: z.int().min(0).max(8_760).describe('Hours.').meta({ assumed: true }),
  preparation_time: z.int().min(0).max(30).describe('Days.').meta({ assumed: true }),
  availability_window: z.int().min(0).max(1_095).describe('Days.').meta({ assumed: true }),
  cancellation_policy: z.string().min(1).max(100),
  non_refundable_price_factor: z.number().min(0).max(1).meta({ assumed: true }),
  new_listing_promotion: z.boolean().meta({ assumed: true }),
  days_of_week_check_in: z.array(dayOfWeek).max(7),
  days_of_week_check_out: z.array(dayOfWeek).max(7),
  day_of_week_min_nights: z
    .array(z.object({ day_of_week: dayOfWeek, min_nights: nights }).meta({ schemaName: 'WeekdayMinimumStay' }))
    .max(7)
    .meta({ assumed: true }),
  seasonal_min_stay: z
    .array(
      z.object({ start_date: date, end_date: date, min_nights: nights }).meta({ schemaName: 'SeasonalMinimumStay' }),
    )
    .max(100)
    .meta({ assumed: true }),
  high_rated_guest_discount: z.boolean(),
  mobile_only_discount: z.boolean(),
  high_rated_guest_discount_blackout_dates: blackoutDates,
  mobile_only_discount_blackout_dates: blackoutDates,
});

/** Settings of a listing on marketplace B. */
const marketplaceB = z.object({
  base_price: price.describe('Every night of the week; wins over nightly_rate.'),
  nightly_rate: z
    .object({
      sunday: price,
      monday: price,
      tuesday: price,
      wednesday: price,
      thursday: price,
      friday: price,
      saturday: price,
    })
    .meta({ schemaName: 'WeeklyRate' }),
  security_deposit: fee,
  cleaning_fee: fee,
  extra_guest_fee: fee.describe('0 takes it away.'),
  extra_guest_number: z.int().min(0).max(99),
  max_guests: z.int().min(1).max(99),
  weekly_discount: percent,
  monthly_discount: percent,
  check_in_start_time: hour(0, 26).meta({ assumed: true }),
  check_out_before: hour(0, 23),
  instant_booking: z.boolean(),
  minimum_stay: nights,
  advance_notice: z.int().min(0).max(8_760).describe('Hours.').meta({ assumed: true }),
  availability_window: z.int().min(0).max(1_095).describe('Days.').meta({ assumed: true }),
});

const marketplaceASettings = marketplaceA.partial().meta({ schemaName: 'MarketplaceASettings' });
/** Settings of a listing on marketplace B, all optional. */
export const marketplaceBSettings = marketplaceB.partial().meta({ schemaName: 'MarketplaceBSettings' });
/** Settings of a listing on marketplace A, all optional. */
export type MarketplaceASettings = z.output<typeof marketplaceASettings>;
/** Settings of a listing on marketplace B, all optional. */
export type MarketplaceBSettings = z.output<typeof marketplaceBSettings>;

const quota = z
  .object({ dates_used_count: z.int(), dates_available_count: z.int() })
  .meta({ schemaName: 'BlackoutQuota' })
  .nullable();
/**
 * Data of marketplace A in addition to the settings. Quotas are of the present year; they are null while the discount
 * is off.
 */
const marketplaceABeside = z.object({
  eligible_cancellation_policies: z.array(z.string()),
  high_rated_guest_discount_blackout_dates_quota: quota,
  mobile_only_discount_blackout_dates_quota: quota,
});
/** Prices and rules of a listing on marketplace A, as they are read. */
export const marketplaceARules = marketplaceA
  .partial()
  .extend(marketplaceABeside.shape)
  .meta({ schemaName: 'MarketplaceARules' });

const ofListing = z.object({ listing_id: listingId.describe('The listing on this channel.') });

/** Reads prices and rules of a listing live from the channel. The fields are in `data` itself and under `settings`. */
export const getMarketplaceARules = operation({
  method: 'GET',
  path: '/listings/marketplace_a/price_and_rules',
  params: none,
  query: ofListing,
  body: null,
  data: marketplaceARules.extend({ settings: marketplaceARules }),
  scope: 'read',
  rate: 'price_rules',
  tool: null,
  since: '3.4.0',
  summary: 'Prices and rules of a listing, asked of the channel at this moment.',
  notes: 'The fields stand in data itself and under settings.',
  example: { listing_id: 'L12' },
  errors: [403, 404, 502],
  emits: [],
});

/**
 * Changes prices and rules of a listing on its channel at once. Fields that are left out stay. An empty list of
 * blackout dates clears it, and its nights remain bookable.
 */
export const updateMarketplaceARules = operation({
  method: 'POST',
  path: '/listings/marketplace_a/price_and_rules',
  params: none,
  query: none,
  body: z
    .object({ listing_id: listingId, settings: marketplaceASettings })
    .refine(({ settings }) => settings.pet_fee === undefined || settings.pet_fee_obj === undefined, {
      path: ['settings', 'pet_fee_obj'],
      error: 'excludes pet_fee; send one of them',
      params: { code: 400 },
    }),
  data: nothing,
  scope: 'confirm',
  rate: 'price_rules',
  tool: null,
  since: '3.4.0',
  summary: 'Changes prices and rules of a listing on its channel, at once.',
  notes: 'Only what is given changes; an empty list of blackout dates clears it, and such nights stay bookable.',
  example: { listing_id: 'L12', settings: { base_price: 120, minimum_stay: 2 } },
  errors: [400, 403, 404, 502],
  emits: [],
});

/** Prices and rules of a listing on marketplace B, as they are read. */
export const marketplaceBRules = marketplaceB.partial().meta({ schemaName: 'MarketplaceBRules' });

/**
 * Returns the recorded prices and rules of a listing. Changes made on the channel itself show after the next
 * synchronisation.
 */
export const getMarketplaceBRules = operation({
  method: 'GET',
  path: '/listings/marketplace_b/price_and_rules',
  params: none,
  query: ofListing,
  body: null,
  data: marketplaceBRules.extend({ settings: marketplaceBRules }),
  scope: 'read',
  rate: 'default',
  tool: null,
  since: '3.4.0',
  summary: 'Prices and rules of a listing as recorded here.',
  notes: 'A snapshot: what was changed on the channel itself shows after the next synchronisation.',
  example: { listing_id: 'L12' },
  errors: [403, 404],
  emits: [],
});

/** Changes prices and rules of a listing on its channel at once. Fields that are left out stay. */
export const updateMarketplaceBRules = operation({
  method: 'POST',
  path: '/listings/marketplace_b/price_and_rules',
  params: none,
  query: none,
  body: z.object({ listing_id: listingId, settings: marketplaceBSettings }),
  data: nothing,
  scope: 'confirm',
  rate: 'default',
  tool: null,
  since: '3.4.0',
  summary: 'Changes prices and rules of a listing on its channel, at once.',
  notes: 'Only what is given changes.',
  example: { listing_id: 'L12', settings: { base_price: 120, cleaning_fee: 40 } },
  errors: [400, 403, 404, 502],
  emits: [],
});
