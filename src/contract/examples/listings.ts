import { channelAccount } from '../channelAccounts.ts';
import { calendarDay, listing, listingCalendar, updatePrices } from '../listings.ts';
import { marketplaceARules, marketplaceBRules } from '../priceRules.ts';
import { pricingRatio } from '../pricingRatios.ts';
import { example } from './example.ts';

const onA = { channel_type: 'marketplace_a', listing_id: 'L12' };
const day = calendarDay.parse({ date: '2027-03-01', price: 105, inventory: 1, restrictions: {} });

/** Sea View as marketplaces offer it. */
export const listingExamples = [
  example(channelAccount, {
    id: 4,
    channel_type: 'marketplace_a',
    username: 'ada@example.com',
    origin_account_id: '48151623',
    auth_status: 'active',
    created_at: '2026-11-02T10:00:00+01:00',
  }),
  example(listing, {
    id: 31,
    ...onA,
    channel_account_id: 4,
    origin_account_id: '48151623',
    url: 'https://marketplace.example.com/rooms/L12',
    title: 'Sea View, two rooms by the harbour',
    cover: 'https://images.example.com/sea-view.jpg',
    inventory: 1,
    shelf_status: 'on',
    metadata: { bedrooms: 2 },
    created_at: '2026-11-02T10:05:00+01:00',
    updated_at: '2027-02-20T12:00:00+01:00',
  }),
  example(listingCalendar, {
    ...onA,
    calendar: [
      { ...day, restrictions: { ...day.restrictions, closed_on_arrival: true } },
      { ...day, date: '2027-03-02', restrictions: { ...day.restrictions, min_stay_on_arrival: 2 } },
      { ...day, date: '2027-03-05', price: 130, inventory: 0 },
    ],
  }),
  example(updatePrices.data, { skipped: [{ channel_type: 'marketplace_b', listing_id: 'L14', reason: 'readonly' }] }),
  example(pricingRatio, { ...onA, listing_title: 'Sea View, two rooms by the harbour', ratio: 115, readonly: false }),
  example(marketplaceARules, {
    listing_currency: 'EUR',
    base_price: 105,
    weekend_price: 130,
    cleaning_fee: 45,
    pet_fee_obj: { amount: 15, charge_type: 'per_pet', charge_period: 'per_stay' },
    extra_guest_fee: 20,
    max_guests: 4,
    early_bird_discount: { discount: 10, days: 90 },
    last_minute_discount: [{ discount: 5, days: 7 }],
    check_in_start_time: 15,
    check_in_end_time: 'FLEXIBLE',
    check_out_before: 11,
    instant_booking: true,
    minimum_stay: 2,
    maximum_stay: 28,
    cancellation_policy: 'moderate',
    day_of_week_min_nights: [{ day_of_week: 5, min_nights: 3 }],
    seasonal_min_stay: [{ start_date: '2027-07-01', end_date: '2027-08-31', min_nights: 7 }],
    high_rated_guest_discount: true,
    mobile_only_discount: false,
    high_rated_guest_discount_blackout_dates: ['2027-12-24', '2027-12-31'],
    eligible_cancellation_policies: ['flexible', 'moderate', 'strict'],
    high_rated_guest_discount_blackout_dates_quota: { dates_used_count: 2, dates_available_count: 28 },
    mobile_only_discount_blackout_dates_quota: null,
  }),
  example(marketplaceBRules, {
    nightly_rate: {
      sunday: 105,
      monday: 105,
      tuesday: 105,
      wednesday: 105,
      thursday: 105,
      friday: 130,
      saturday: 130,
    },
    security_deposit: 200,
    cleaning_fee: 45,
    extra_guest_fee: 20,
    extra_guest_number: 2,
    max_guests: 4,
    weekly_discount: 10,
    monthly_discount: 25,
    check_in_start_time: 15,
    check_out_before: 11,
    instant_booking: true,
    minimum_stay: 2,
  }),
];
