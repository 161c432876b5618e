import { type Currency, fromWireAmount, type Minor } from '../../../kernel/money.ts';
import { type PolicyStep, stepsOf } from './policies.ts';
import type { feeUnits, taxUnits, Weekday, WrittenPlan } from './schema.ts';
import { type PlanMistake, planMistakes } from './sound.ts';

export type { PlanMistake } from './sound.ts';
export { ratePlan, type Weekday, type WrittenPlan } from './schema.ts';

/** Limits of a stay; null: none. */
export interface StayLimits {
  readonly min_nights: number | null;
  readonly max_nights: number | null;
  readonly arrival_days: readonly Weekday[] | null;
  readonly departure_days: readonly Weekday[] | null;
}

/** Nights with prices and limits of their own; of what is null, those of the plan hold. */
export interface Season extends StayLimits {
  readonly name: string;
  /** First and last night: dates, or days of every year (`12-24`). */
  readonly from: string;
  readonly to: string;
  readonly price: Minor | null;
  readonly weekend_price: Minor | null;
}

export interface Fee {
  readonly name: string;
  readonly amount: Minor;
  readonly per: (typeof feeUnits)[number];
  readonly taxable: boolean;
  readonly optional: boolean;
}

interface TaxBase {
  readonly name: string;
  /** true: the prices contain it. */
  readonly included: boolean;
  readonly max_amount: Minor | null;
}

/** A tax by percent of the price before tax. */
export interface PercentTax extends TaxBase {
  readonly percent: number;
  /** accommodation, fees, or names of fees. */
  readonly of: readonly string[];
}

/** A tax of a fixed amount. */
export interface AmountTax extends TaxBase {
  readonly amount: Minor;
  readonly per: (typeof taxUnits)[number];
  readonly max_nights: number | null;
  readonly exempt_below_age: number | null;
}

/** The prices and conditions of a property for bookings without a channel; all amounts in minor units. */
export interface RatePlan {
  readonly name: string;
  readonly currency: Currency;
  readonly base_price: Minor;
  /** null: every night costs the same. */
  readonly weekend_price: Minor | null;
  /** Days on which weekend nights begin; also those of the seasons. */
  readonly weekend_nights: readonly Weekday[];
  readonly seasons: readonly Season[];
  readonly stay: StayLimits & { readonly lead_days: number; readonly ahead_days: number };
  readonly guests: {
    readonly most: number;
    readonly included: number;
    readonly extra_price: Minor;
    readonly infants_below_age: number;
    readonly pets: number;
  };
  readonly discounts: readonly { readonly from_nights: number; readonly percent: number }[];
  readonly fees: readonly Fee[];
  readonly taxes: readonly (PercentTax | AmountTax)[];
  readonly security_deposit: Minor;
  readonly payment: { readonly at_booking_percent: number; readonly balance_days: number };
  readonly cancellation: { readonly name: string; readonly steps: readonly PolicyStep[] };
}

/** Converts a plan to minor units, or returns all of its mistakes. */
export function planOfWritten(written: WrittenPlan): { plan: RatePlan } | { mistakes: readonly PlanMistake[] } {
  const mistakes: PlanMistake[] = planMistakes(written);
  const { currency } = written;
  const minor = (amount: number, ...path: (string | number)[]): Minor => {
    const exact = fromWireAmount(amount, currency);
    if (exact === undefined) mistakes.push({ path, problem: `${amount} has more decimals than ${currency} has` });
    return exact ?? 0;
  };
  const maybe = (amount: number | undefined, ...path: (string | number)[]): Minor | null =>
    amount === undefined ? null : minor(amount, ...path);
  const { weekend, stay, guests, cancellation } = written;
  const plan: RatePlan = {
    name: written.name,
    currency,
    base_price: minor(written.base_price, 'base_price'),
    weekend_price: maybe(weekend?.price, 'weekend', 'price'),
    weekend_nights: weekend?.nights ?? ['friday', 'saturday'],
    seasons: written.seasons.map((season, index) => ({
      ...limitsOf(season),
      name: season.name,
      from: season.from,
      to: season.to,
      price: maybe(season.price, 'seasons', index, 'price'),
      weekend_price: maybe(season.weekend_price, 'seasons', index, 'weekend_price'),
    })),
    stay: { ...limitsOf(stay), lead_days: stay.lead_days, ahead_days: stay.ahead_days },
    guests: {
      ...guests,
      included: guests.included ?? guests.most,
      extra_price: minor(guests.extra_price, 'guests', 'extra_price'),
    },
    discounts: written.discounts,
    fees: written.fees.map((fee, index) => ({ ...fee, amount: minor(fee.amount, 'fees', index, 'amount') })),
    taxes: written.taxes.map((tax, index) => {
      const { name, included } = tax;
      const base = { name, included, max_amount: maybe(tax.max_amount, 'taxes', index, 'max_amount') };
      if (tax.percent !== undefined) return { ...base, percent: tax.percent, of: tax.of ?? ['accommodation', 'fees'] };
      return {
        ...base,
        amount: minor(tax.amount ?? 0, 'taxes', index, 'amount'),
        per: tax.per ?? 'guest_night',
        max_nights: tax.max_nights ?? null,
        exempt_below_age: tax.exempt_below_age ?? null,
      };
    }),
    security_deposit: minor(written.security_deposit, 'security_deposit'),
    payment: written.payment,
    cancellation: {
      name: typeof cancellation === 'string' ? cancellation : 'custom',
      steps: stepsOf(cancellation),
    },
  };
  return mistakes.length > 0 ? { mistakes } : { plan };
}

type WrittenLimits = Pick<WrittenPlan['stay'], 'min_nights' | 'max_nights' | 'arrival_days' | 'departure_days'>;

function limitsOf(written: WrittenLimits): StayLimits {
  const { min_nights = null, max_nights = null, arrival_days = null, departure_days = null } = written;
  return { min_nights, max_nights, arrival_days, departure_days };
}
