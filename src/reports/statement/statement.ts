import type { PlainDate } from '../../kernel/dates.ts';
import type { Currency, Minor } from '../../kernel/money.ts';
import type { BooksAge } from '../read.ts';

/** What an owner is told of a month. */
export interface Statement {
  readonly owner: string;
  /** What they are called. */
  readonly name: string;
  /** Whose statement it is: the account that manages. */
  readonly manager: string;
  /** `2027-03`, with its first and last day. */
  readonly month: string;
  readonly from: PlainDate;
  readonly to: PlainDate;
  readonly books: BooksAge;
  /** The month is locked: nothing of it will change. */
  readonly isClosed: boolean;
  /** By contract, then currency. */
  readonly parts: readonly StatementPart[];
}

/** One contract in one currency. */
export interface StatementPart {
  readonly contract: string;
  /** What it says of the fee; empty: nobody has said. */
  readonly terms: string;
  readonly currency: Currency;
  readonly sums: StatementSums;
  readonly stays: readonly StayLine[];
  /** What does not belong to a stay, and what it was spent on. */
  readonly expenses: readonly OtherLine[];
  readonly payouts: readonly OtherLine[];
  readonly properties: readonly PropertyFigures[];
}

/** As the owner sees them: above zero they get it. */
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

/** What a booking has brought in one property. */
export interface StayLine {
  /** null: what no booking has brought. */
  readonly reservation: string | null;
  readonly property: string;
  readonly checkIn: PlainDate | null;
  readonly checkOut: PlainDate | null;
  readonly channel: string;
  /** Status of the booking, where it is not an accepted one. */
  readonly remark: string;
  readonly revenue: Minor;
  readonly channelFee: Minor;
  readonly managementFee: Minor;
  readonly tax: Minor;
  /** What is left of it for the owner. */
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
  /** Percent; null: there was nothing to be sold. */
  readonly occupancy: number | null;
  readonly adr: Minor | null;
  readonly revpar: Minor | null;
}
