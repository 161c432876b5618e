import type { PlainDate } from '../kernel/dates.ts';
import type { Currency, Minor } from '../kernel/money.ts';

/** Every reason for which a row can be refused; these very words stand in the rejects file and in the totals. */
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
  /** The text of the file that was at fault. */
  value: string;
}

/** Everything that can be said of a row that is taken all the same. */
const remarkKinds = ['amount rounded', 'currency by its sign', 'several rooms as one'] as const;

export interface Remark {
  /** The mapping key under `booking`. */
  field: string;
  remark: (typeof remarkKinds)[number];
  /** The text of the file, and what it was taken for. */
  value: string;
}

/** A row that cannot be a booking: one rejection, however many problems it has. */
export interface Rejection {
  kind: 'rejection';
  /** Physical line of the file on which the row starts; the header is line 1. */
  line: number;
  /** Data row, counted from 1. */
  row: number;
  problems: Problem[];
}

/**
 * A date, or a date and time as the file gives it (`2025-12-31T14:05`, perhaps with an offset). Both are
 * what `readInstant` of the kernel reads; a bare date means its midnight in the property's zone.
 */
export type Moment = string;

export interface Income {
  amount: Minor;
  at: Moment;
}

/** What the rows of a file are read against. */
export interface ReadingContext {
  /** Of the account, for signs that several currencies use; null: none is known. */
  currency: Currency | null;
  /** The last night that can be booked; null: any. */
  lastNight: PlainDate | null;
}

/** One row of the user's file, read through the mapping; dates are already shifted. */
export interface Booking {
  kind: 'booking';
  line: number;
  row: number;
  /** What makes this row the same booking in the next run of the file; see `identity.ts`. */
  key: string;
  /** A property named by the file, or a group whose units are planned. */
  place: { property: string } | { group: string };
  checkIn: PlainDate;
  checkOut: PlainDate;
  nights: number;
  /** An accepted booking holds its nights, a cancelled one never does. */
  status: 'accepted' | 'cancelled';
  /** Accepted, but the guest never came; the nights were held all the same. */
  noShow: boolean;
  bookedAt: Moment | null;
  /** Only on a cancelled booking, and null there when the file does not say. */
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
  /** Null when the mapping has no amounts. */
  currency: Currency | null;
  total: Minor;
  commission: Minor;
  /** Name of the custom channel. */
  channel: string | null;
  note: string | null;
  /** The one income entry that the booking makes, if any. */
  income: Income | null;
  /** Whether that entry is made also while its date lies ahead. */
  incomeAhead: boolean;
  remarks: readonly Remark[];
}

export type Outcome = Booking | Rejection;

/** True for a booking that occupies its nights. */
export function holds(booking: Booking): boolean {
  return booking.status === 'accepted';
}
