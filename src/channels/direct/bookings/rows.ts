import type { Json } from '../../../core/database.ts';
import type { Instant } from '../../../kernel/dates.ts';
import type { AccountId, ReservationCode, StayCode } from '../../../kernel/ids.ts';
import type { Currency } from '../../../kernel/money.ts';

declare module '../../../core/database.ts' {
  /** The tables of bookings that guests make themselves. */
  interface CoreDatabase {
    booking_pages: BookingPageRow;
    booking_page_properties: { account_id: AccountId; page_id: number; property_id: number };
    kept_quotes: KeptQuoteRow;
    direct_bookings: DirectBookingRow;
  }
}

/** A page where guests book some of the properties. */
export interface BookingPageRow {
  account_id: AccountId;
  id: number;
  name: string;
  /** Encrypted; context `booking_page:<id>`. */
  token: string;
  token_hash: string;
  /** House rules that a guest accepts; empty: none. */
  rules: string;
  created_at: Instant;
  revoked_at: Instant | null;
}

/** A quote as it was shown. It never changes. */
export interface KeptQuoteRow {
  account_id: AccountId;
  /** A secret of its own, since whoever has it may book by it. */
  id: string;
  page_id: number;
  property_id: number;
  asked: Json;
  quote: Json;
  plan_version: string;
  created_at: Instant;
  expires_at: Instant;
  /** The reservation that was made by it; null: none yet. */
  reservation_code: ReservationCode | null;
}

/** How a guest pays. */
export type PaymentMethod = 'transfer' | 'stripe';

/** What was agreed about a reservation that a guest made. Who the guest is stands with the reservation alone. */
export interface DirectBookingRow {
  account_id: AccountId;
  reservation_code: ReservationCode;
  stay_code: StayCode;
  page_id: number;
  property_id: number;
  quote_id: string;
  method: PaymentMethod;
  /** `en` or `de`: that of the page on which it was made. */
  language: string;
  /** Encrypted; context `direct_booking:<reservation code>`. Opens the page of this booking alone. */
  token: string;
  token_hash: string;
  currency: Currency;
  /** The quote, with the policy of cancellation. */
  quote: Json;
  /** Until when the nights are held without a payment. */
  expires_at: Instant;
  created_at: Instant;
  /** Moment at which the end of the reservation was dealt with; null: it has not ended. */
  settled_at: Instant | null;
}
