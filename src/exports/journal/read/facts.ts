import type { PlainDate } from '../../../kernel/dates.ts';
import type { Currency, Minor } from '../../../kernel/money.ts';
import type { AccountName } from '../entry.ts';

/** A ledger entry as the mirror has it. */
export interface TransactionFact {
  readonly id: number;
  readonly reservation: string | null;
  readonly propertyId: number | null;
  readonly direction: 'income' | 'expense';
  readonly itemId: number;
  readonly itemName: string;
  readonly methodId: number;
  readonly methodName: string;
  /** null: it cannot be told in whole minor units of the currency. */
  readonly amount: Minor | null;
  readonly currency: Currency;
  /** The operator's date; null: it cannot be read. */
  readonly date: PlainDate | null;
}

/** What was known of a deposit from a day on. Cumulated amounts. */
export interface DepositFact {
  readonly date: PlainDate;
  readonly currency: Currency;
  readonly paid: Minor;
  readonly deducted: Minor;
  readonly pending: Minor;
}

export interface StayFact {
  readonly code: string;
  readonly propertyId: number;
  readonly status: string;
  readonly checkIn: PlainDate;
  readonly checkOut: PlainDate;
  readonly currency: Currency | null;
  readonly rate: Minor | null;
  readonly commission: Minor | null;
  /** As upstream shows it, which of several rooms is that of the whole booking: {@link taxShares}. */
  readonly tax: Minor | null;
  /** In the order in which they came to be known. */
  readonly deposits: readonly DepositFact[];
}

export interface ReservationFact {
  readonly code: string;
  readonly channelType: string;
  /** The operator's own source, or the channel. */
  readonly channel: string;
  readonly cancelled: PlainDate | null;
  /** What upstream says was received, in this currency. */
  readonly received: Minor | null;
  readonly currency: Currency | null;
  /** Those that are there; empty once all are gone. */
  readonly stays: readonly StayFact[];
  /** When it was found to be gone; null: it is there. */
  readonly gone: PlainDate | null;
}

/** A payout that was matched with postings of a clearing account. */
export interface PayoutFact {
  readonly id: string;
  readonly date: PlainDate;
  readonly bank: AccountName;
  readonly account: AccountName;
  readonly amount: Minor;
  readonly currency: Currency;
  /** Bookings whose postings it pays out. */
  readonly bookings: number;
}

/** What is booked together: a booking with its ledger entries and deposits, a payout, or a ledger entry of its own. */
export interface Group {
  /** `r<reservation_code>`, `rpayout:<payout id>` or `t<transaction id>`. */
  readonly key: string;
  readonly reservation: ReservationFact | null;
  readonly payout?: PayoutFact | undefined;
  /** By id; those that are there. */
  readonly transactions: readonly TransactionFact[];
  /** Sources that were found to be gone, as keys of {@link sourceKey}. */
  readonly gone: ReadonlySet<string>;
}
