import { weekdays } from '../../contract/priceRules.ts';
import type { Settings } from '../../core/channels/adapter.ts';

/** Policies that a host can choose from. */
const CANCELLATION_POLICIES = ['flexible', 'moderate', 'firm', 'strict'];

/** Returns the settings of a new listing. A price of 0 means that none was given. */
export function firstSettings(channelType: string, start: { base_price: number; currency: string }): Settings {
  const price = start.base_price > 0 ? { base_price: start.base_price } : {};
  if (channelType === 'marketplace_a') return { ...marketplaceA, listing_currency: start.currency, ...price };
  if (channelType === 'marketplace_b') return writtenSettings(marketplaceB, price);
  return { minimum_stay: 1, ...price };
}

const marketplaceA: Settings = {
  weekend_price: 0,
  cleaning_fee: 0,
  short_term_cleaning_fee: 0,
  security_deposit: 0,
  pet_fee: 0,
  extra_guest_fee: 0,
  max_guests: 2,
  early_bird_discount: [],
  last_minute_discount: [],
  long_term_discount: [],
  check_in_start_time: 15,
  check_in_end_time: 'FLEXIBLE',
  check_out_before: 11,
  instant_booking: true,
  minimum_stay: 1,
  maximum_stay: 365,
  advance_notice: 0,
  preparation_time: 0,
  availability_window: 365,
  cancellation_policy: 'moderate',
  eligible_cancellation_policies: CANCELLATION_POLICIES,
  non_refundable_price_factor: 0,
  new_listing_promotion: false,
  days_of_week_check_in: [0, 1, 2, 3, 4, 5, 6],
  days_of_week_check_out: [0, 1, 2, 3, 4, 5, 6],
  day_of_week_min_nights: [],
  seasonal_min_stay: [],
  high_rated_guest_discount: false,
  mobile_only_discount: false,
  high_rated_guest_discount_blackout_dates: [],
  mobile_only_discount_blackout_dates: [],
};

const marketplaceB: Settings = {
  security_deposit: 0,
  cleaning_fee: 0,
  extra_guest_fee: 0,
  extra_guest_number: 0,
  max_guests: 2,
  weekly_discount: 0,
  monthly_discount: 0,
  check_in_start_time: 15,
  check_out_before: 11,
  instant_booking: true,
  minimum_stay: 1,
  advance_notice: 0,
  availability_window: 365,
};

/** Returns the settings after a change: the given values and their consequences. */
export function writtenSettings(before: Settings, changes: Settings): Settings {
  const after: Record<string, unknown> = { ...before, ...changes };
  // The two fields for the price of a pet exclude each other.
  if ('pet_fee_obj' in changes) delete after['pet_fee'];
  if ('pet_fee' in changes) delete after['pet_fee_obj'];
  const { base_price: base } = changes;
  if (base !== undefined && !('weekend_price' in after)) {
    after['nightly_rate'] = Object.fromEntries(weekdays.map((day) => [day, base]));
  } else if ('nightly_rate' in changes) {
    delete after['base_price'];
  }
  return after;
}
