import { z } from 'zod';
import { currency } from '../../../contract/fields.ts';
import { weekdays } from '../../../contract/priceRules.ts';
import { isPlainDate } from '../../../kernel/dates.ts';

/** Name of a day of the week. */
export type Weekday = (typeof weekdays)[number];

/** Nights of one stay that a quote is made for. */
export const MOST_NIGHTS = 730;
const MOST_DAYS = 1_095;
/** Days ahead that can be booked, if a plan does not say. */
const AHEAD_DAYS = 540;
const MOST_GUESTS = 99;
const MOST_PRICE = 1_000_000_000;
/** Decimals of a percentage. */
const PERCENT_DECIMALS = 4;

const price = z.number().min(0).max(MOST_PRICE);
const percent = z
  .number()
  .min(0)
  .max(100)
  .refine((value) => Number(value.toFixed(PERCENT_DECIMALS)) === value, {
    error: `must have at most ${PERCENT_DECIMALS} decimals`,
  });
const nights = z.int().min(1).max(MOST_NIGHTS);
const days = z.int().min(0).max(MOST_DAYS);
const age = z.int().min(1).max(MOST_GUESTS);
const name = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .refine((text) => !/\p{Cc}/u.test(text), { error: 'must be on one line' });
const weekdaySet = z
  .array(z.enum(weekdays))
  .min(1, { error: 'must name a day; leave it out if every day is allowed' })
  .max(7)
  .transform((given) => weekdays.filter((day) => given.includes(day)));

const DAY_OF_YEAR = /^\d{2}-\d{2}$/;

/** Returns true for a day of every year, `12-24`. 29 February is one. */
export function isDayOfYear(text: string): boolean {
  return DAY_OF_YEAR.test(text) && isPlainDate(`2024-${text}`);
}

const seasonDay = z.string().refine((text) => isPlainDate(text) || isDayOfYear(text), {
  error: 'must be a date, YYYY-MM-DD, or a day of every year, MM-DD',
});

/** Length of a stay, and its days, within a season. What is left out is as outside of it. */
const limitsOfStay = {
  min_nights: nights.optional().describe('Fewest nights of a stay.'),
  max_nights: nights.optional().describe('Most nights of a stay.'),
  arrival_days: weekdaySet.optional().describe('Days on which guests may come; left out: every day.'),
  departure_days: weekdaySet.optional().describe('Days on which guests may go; left out: every day.'),
};

const season = z.strictObject({
  name,
  from: seasonDay.describe('First night: a date, or MM-DD for every year.'),
  to: seasonDay.describe('Last night, written as `from` is; MM-DD may lie in the next year.'),
  price: price.optional().describe('A night; left out: the base price.'),
  weekend_price: price.optional().describe('A weekend night; left out: `price`, if the season has one.'),
  ...limitsOfStay,
});

/** What a fee is counted by. */
export const feeUnits = ['stay', 'night', 'guest', 'guest_night', 'pet', 'pet_night'] as const;
/** What a tax of a fixed amount is counted by. */
export const taxUnits = ['stay', 'night', 'guest', 'guest_night'] as const;

const fee = z.strictObject({
  name,
  amount: price,
  per: z.enum(feeUnits).default('stay'),
  taxable: z.boolean().default(true).describe('true: taxes by percent of `fees` count it.'),
  optional: z.boolean().default(false).describe('true: only if the guest chooses it.'),
});

/** In the bases of a percentage: the price of the nights, and the taxable fees. */
export const taxBases = ['accommodation', 'fees'] as const;

const tax = z.strictObject({
  name,
  percent: percent.optional().describe('Of the price before tax. Give this, or `amount`.'),
  of: z
    .array(z.string())
    .min(1)
    .max(22)
    .optional()
    .describe('What the percentage is of: accommodation, fees (the taxable ones), or names of fees; both by default.'),
  amount: price.optional(),
  per: z.enum(taxUnits).optional().describe('What `amount` is counted by; guest_night by default.'),
  max_nights: nights.optional().describe('Nights that are counted at most.'),
  exempt_below_age: age.optional().describe('Guests below this age are not counted.'),
  max_amount: price.optional().describe('Most of this tax for a stay.'),
  included: z.boolean().default(false).describe('true: the prices contain it; it is shown and not added.'),
});

const step = z.strictObject({
  days_before: days.describe('Days before check-in up to which this holds.'),
  refund_percent: percent.describe('Of what has been paid.'),
});

/** Cancellation policies that have a name. */
export const policyNames = ['flexible', 'moderate', 'strict'] as const;

/** A rate plan as it is written and sent: amounts in units of its currency, with decimals. */
export const ratePlan = z
  .strictObject({
    name: name.default('Standard'),
    currency,
    base_price: price.describe('A night.'),
    weekend: z
      .strictObject({ price, nights: weekdaySet.default(['friday', 'saturday']) })
      .optional()
      .describe('Price of nights that begin on these days.'),
    seasons: z.array(season).max(100).default([]),
    stay: z
      .strictObject({
        ...limitsOfStay,
        lead_days: days.default(0).describe('Days that a booking must lie before check-in.'),
        ahead_days: days.default(AHEAD_DAYS).describe('Days before check-in from which can be booked.'),
      })
      .prefault({}),
    guests: z.strictObject({
      most: z.int().min(1).max(MOST_GUESTS).describe('Guests that the property sleeps.'),
      included: z.int().min(1).max(MOST_GUESTS).optional().describe('Guests in the price; left out: all.'),
      extra_price: price.default(0).describe('Each further guest, a night.'),
      infants_below_age: z.int().min(0).max(17).default(0).describe('Children below this age count as no guest.'),
      pets: z.int().min(0).max(20).default(0).describe('Pets at most.'),
    }),
    discounts: z
      .array(z.strictObject({ from_nights: nights, percent }))
      .max(10)
      .default([])
      .describe('For long stays, of the price of the nights: 7 nights are a week, 28 a month. The longest counts.'),
    fees: z.array(fee).max(20).default([]),
    taxes: z.array(tax).max(10).default([]),
    security_deposit: price.default(0).describe('Held apart from the price, and given back.'),
    payment: z
      .strictObject({
        at_booking_percent: percent.default(100).describe('Of the price, due at the booking.'),
        balance_days: days.default(30).describe('Days before check-in on which the rest is due.'),
      })
      .prefault({}),
    cancellation: z
      .union([z.enum(policyNames), z.strictObject({ steps: z.array(step).max(10) })])
      .describe('flexible, moderate, strict, or steps of your own.'),
  })
  .meta({ schemaName: 'RatePlan' });

/** A rate plan in the form of {@link ratePlan}, with everything that was left out filled in. */
export type WrittenPlan = z.output<typeof ratePlan>;
