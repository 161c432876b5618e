import type { PlainDate } from '../../kernel/dates.ts';
import type { Currency, Minor } from '../../kernel/money.ts';
import type { BooksAge } from '../read.ts';

/** The statement of an owner for a month. */
export interface Statement {
  readonly owner: string;
  /** The name of the owner. */
  readonly name: string;
  /** The issuer: the account of the manager. */
  readonly manager: string;
  /** `2027-03`; `from` and `to` are its first and last day. */
  readonly month: string;
  readonly from: PlainDate;
  readonly to: PlainDate;
  readonly books: BooksAge;
  /** True if the month is locked, so nothing in it can change. */
  readonly isClosed: boolean;
  /** By contract, then currency. */
  readonly parts: readonly StatementPart[];
}

/** One contract in one currency. */
export interface StatementPart {
  readonly contract: string;
  /** The fee in words; empty if it is not stated. */
  readonly terms: string;
  readonly currency: Currency;
  readonly sums: StatementSums;
  readonly stays: readonly StayLine[];
  /** Expenses that belong to no stay. */
  readonly expenses: readonly OtherLine[];
  readonly payouts: readonly OtherLine[];
  readonly properties: readonly PropertyFigures[];
}

/** Sums from the owner's side: positive amounts go to the owner. */
export interface StatementSums {
  readonly opening: Minor;
  readonly revenue: Minor;
  readonly management_fee: Minor;
  readonly channel_fee: Minor;
  readonly tax: Minor;
  readonly expense: Minor;
  readonly payout: Minor;
  readonly closing: Minor;
}

/** The income of a reservation in one property. */
export interface StayLine {
  /** Null for income without a reservation. */
  readonly reservation: string | null;
  readonly property: string;
  readonly checkIn: PlainDate | null;
  readonly checkOut: PlainDate | null;
  readonly channel: string;
  /** Status of the reservation unless it is accepted. */
  readonly remark: string;
  readonly revenue: Minor;
  readonly channelFee: Minor;
  readonly managementFee: Minor;
  readonly tax: Minor;
  /** The owner's remainder. */
  readonly net: Minor;
}

export interface OtherLine {
  readonly date: PlainDate;
  readonly property: string;
  readonly text: string;
  readonly entry: string;
  readonly amount: Minor;
}

export interface PropertyFigures {
  readonly property: string;
  readonly nights: number;
  /** Percent; null if there was nothing to sell. */
  readonly occupancy: number | null;
  readonly adr: Minor | null;
  readonly revpar: Minor | null;
}
