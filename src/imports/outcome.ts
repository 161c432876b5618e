import type { PlainDate } from '../kernel/dates.ts';
import type { Currency, Minor } from '../kernel/money.ts';

/** Reasons for which a row can be refused. These words appear in the rejects file and in the totals. */
const reasons = [
  'zero nights',
  'check-out before check-in',
  'stay longer than three years',
  'nights more than three years ahead',
  'nights do not match the dates',
  'more than one room',
  'no guests',
  'too many guests',
  'negative number',
  'negative rate',
  'negative amount',
  'missing',
  'no such date',
  'not a number',
  'not a whole number',
  'more decimals than the currency has',
  'amount too large',
  'amount in another currency',
  'currency not clear',
  'payout above the price',
  'unknown currency',
  'unknown status',
  'key of an earlier row',
  'wrong number of columns',
  'quote not closed',
  'quote out of place',
] as const;
export type Reason = (typeof reasons)[number];

export interface Problem {
  /** The mapping key under `booking`, or `line` when the line itself is broken. */
  field: string;
  reason: Reason;
  /** The faulty text of the file. */
  value: string;
}

/** Kinds of remarks on rows that are accepted. */
const remarkKinds = ['amount rounded', 'currency by its sign', 'several rooms as one'] as const;

export interface Remark {
  /** The mapping key under `booking`. */
  field: string;
  remark: (typeof remarkKinds)[number];
  /** The text of the file, and its interpretation. */
  value: string;
}

/** A row that cannot become a reservation: one rejection, however many problems it has. */
export interface Rejection {
  kind: 'rejection';
  /** Physical line of the file on which the row starts. The header is line 1. */
  line: number;
  /** Data row, counted from 1. */
  row: number;
  problems: Problem[];
}

/**
 * A date, or a date and time as the file gives it (`2025-12-31T14:05`, perhaps with an offset). `readInstant` of the
 * kernel reads both; a bare date means its midnight in the property's zone.
 */
export type Moment = string;

export interface Income {
  amount: Minor;
  at: Moment;
}

/** The account's data that the rows of a file are read with. */
export interface ReadingContext {
  /** Currency of the account, for signs that several currencies use; null: unknown. */
  currency: Currency | null;
  /** The last night that can be reserved; null: no limit. */
  lastNight: PlainDate | null;
}

/** One row of the user's file, read through the mapping. Its dates are already shifted. */
export interface Booking {
  kind: 'booking';
  line: number;
  row: number;
  /** The key that identifies this row's reservation in the next run of the file; see `identity.ts`. */
  key: string;
  /** A property that the file names, or a group whose units are planned. */
  place: { property: string } | { group: string };
  checkIn: PlainDate;
  checkOut: PlainDate;
  nights: number;
  /** An accepted reservation holds its nights; a cancelled one never does. */
  status: 'accepted' | 'cancelled';
  /** true: accepted, but the guest never came. The nights were held all the same. */
  noShow: boolean;
  bookedAt: Moment | null;
  /** Set only on a cancelled reservation; null if the file does not give it. */
  cancelledAt: Moment | null;
  guestName: string;
  email: string | null;
  phone: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  adults: number;
  children: number;
  infants: number;
  guests: number;
  /** null: the mapping has no amounts. */
  currency: Currency | null;
  total: Minor;
  commission: Minor;
  /** Name of the custom channel. */
  channel: string | null;
  note: string | null;
  /** The one income entry of the reservation, if any. */
  income: Income | null;
  /** true: the entry is made even while its date is in the future. */
  incomeAhead: boolean;
  remarks: readonly Remark[];
}

export type Outcome = Booking | Rejection;

/** Returns true for a reservation that occupies its nights. */
export function holds(booking: Booking): boolean {
  return booking.status === 'accepted';
}
