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
  /** Null if it is no whole number of minor units of the currency. */
  readonly amount: Minor | null;
  readonly currency: Currency;
  /** The operator's date, or null if it cannot be read. */
  readonly date: PlainDate | null;
}

/** The known state of a deposit from a day on. Amounts are cumulative. */
export interface DepositFact {
  readonly date: PlainDate;
  readonly currency: Currency;
  readonly paid: Minor;
  readonly deducted: Minor;
  readonly pending: Minor;
}

/** A stay as the mirror has it. */
export interface StayFact {
  readonly code: string;
  readonly propertyId: number;
  readonly status: string;
  readonly checkIn: PlainDate;
  readonly checkOut: PlainDate;
  readonly currency: Currency | null;
  readonly rate: Minor | null;
  readonly commission: Minor | null;
  /** As upstream shows it. With several rooms it is the tax of the whole reservation: see {@link taxShares}. */
  readonly tax: Minor | null;
  /** In the order of their discovery. */
  readonly deposits: readonly DepositFact[];
}

/** A reservation as the mirror has it. */
export interface ReservationFact {
  readonly code: string;
  readonly channelType: string;
  /** The operator's own source, or the channel. */
  readonly channel: string;
  readonly cancelled: PlainDate | null;
  /** The amount received by upstream's account, in `currency`. */
  readonly received: Minor | null;
  readonly currency: Currency | null;
  /** The stays that are present; empty once all are gone. */
  readonly stays: readonly StayFact[];
  /** The day on which it was found to be gone, or null if it is present. */
  readonly gone: PlainDate | null;
}

/** A payout that is matched with postings of a clearing account. */
export interface PayoutFact {
  readonly id: string;
  readonly date: PlainDate;
  readonly bank: AccountName;
  readonly account: AccountName;
  readonly amount: Minor;
  readonly currency: Currency;
  /** Number of reservations whose postings it pays out. */
  readonly bookings: number;
}

/**
 * Facts that are booked together: a reservation with its ledger entries and deposits, a payout, or a ledger entry
 * without a reservation.
 */
export interface Group {
  /** `r<reservation_code>`, `rpayout:<payout id>` or `t<transaction id>`. */
  readonly key: string;
  readonly reservation: ReservationFact | null;
  readonly payout?: PayoutFact | undefined;
  /** The ledger entries that are present, by id. */
  readonly transactions: readonly TransactionFact[];
  /** Keys ({@link sourceKey}) of sources that were found to be gone. */
  readonly gone: ReadonlySet<string>;
}
