import type { PlainDate } from '../../../kernel/dates.ts';
import type { Currency, Minor } from '../../../kernel/money.ts';
import type { CancellationPolicy } from './cancellation.ts';

/** What a guest asks for. All dates are of the property's zone. */
export interface Asked {
  readonly check_in_date: PlainDate;
  readonly check_out_date: PlainDate;
  readonly adults: number;
  /** Ages of the children. */
  readonly children: readonly number[];
  readonly pets: number;
  /** The day of the booking. */
  readonly booked_on: PlainDate;
  /** Names of the optional fees that the guest has chosen; none by default. */
  readonly optional_fees?: readonly string[];
}

/**
 * One line of a quote. night, weekend: nights at the prices of the plan · season, season_weekend: at those of a season,
 * which `name` names · extra_guest: guests beyond those in the price · discount: for a long stay, the only negative line.
 */
export interface QuoteLine {
  readonly kind:
    | 'night'
    | 'weekend'
    | 'season'
    | 'season_weekend'
    | 'extra_guest'
    | 'discount'
    | 'fee'
    | 'optional_fee'
    | 'tax';
  /** The plan's own name of a season, fee or tax; English words for the other kinds. */
  readonly name: string;
  readonly quantity: number;
  /** Price of one; null: the amount is a percentage, or capped. */
  readonly unit: Minor | null;
  readonly amount: Minor;
  /** The first night of those that the line counts. */
  readonly date?: PlainDate;
  /** Of a discount, and of a tax by percent. */
  readonly percent?: number;
  /** true: taxes by percent of accommodation or fees count it. */
  readonly taxable: boolean;
}

/** A price that a guest can rely on: nothing in it changes when the plan does. */
export interface Quote {
  readonly currency: Currency;
  /** They add up to `total`. */
  readonly lines: readonly QuoteLine[];
  /** Nights and further guests, less the discount. */
  readonly accommodation: Minor;
  readonly fees: Minor;
  /** Taxes that are added to the prices. */
  readonly taxes: Minor;
  readonly total: Minor;
  /** Taxes that the prices contain: shown, and no part of the sum of `lines`. */
  readonly included_taxes: readonly QuoteLine[];
  /** Security deposit: held apart, not in `total`. */
  readonly deposit: Minor;
  /** Due at the booking. */
  readonly first_payment: Minor;
  readonly balance: Minor;
  /** null: there is no balance. */
  readonly balance_due_date: PlainDate | null;
  readonly cancellation: CancellationPolicy;
}
