import type { Instant } from '../../../kernel/dates.ts';
import type { AccountId, ReservationCode } from '../../../kernel/ids.ts';
import type { Currency, Minor } from '../../../kernel/money.ts';
import type { PaymentMethod } from '../bookings/rows.ts';
import type { PaymentState, RefundState } from './states.ts';

declare module '../../../core/database.ts' {
  /** The tables of payments of direct bookings. */
  interface CoreDatabase {
    direct_payments: PaymentRow;
    direct_refunds: RefundRow;
    payment_settings: PaymentSettingsRow;
  }
}

/** What a payment is for. */
export type PaymentPurpose = 'first_payment' | 'balance' | 'deposit';

/** One payment that a guest is asked for. Amounts are in minor units of its currency. */
export interface PaymentRow {
  account_id: AccountId;
  id: number;
  reservation_code: ReservationCode;
  purpose: PaymentPurpose;
  provider: PaymentMethod;
  amount: Minor;
  currency: Currency;
  state: PaymentState;
  /** Sent with the request that opens it, so that a repeat opens the same one. */
  idempotency_key: string;
  /** The provider's numbers of it. */
  session_id: string | null;
  intent_id: string | null;
  /** Where the guest pays; encrypted, context `payment_url:<id>`. */
  url: string | null;
  /** Until when it can be paid there. */
  expires_at: Instant | null;
  /** What came; null: nothing. */
  received: Minor | null;
  /** The entry of the ledger. */
  transaction_id: number | null;
  /** Why it is not further; for people. */
  problem: string | null;
  tries: number;
  created_at: Instant;
  updated_at: Instant;
  /** Milliseconds since the epoch; null: nothing is to be asked. */
  next_look_at: number | null;
}

/** Money that goes back to a guest. */
export interface RefundRow {
  account_id: AccountId;
  id: number;
  reservation_code: ReservationCode;
  payment_id: number;
  provider: PaymentMethod;
  amount: Minor;
  currency: Currency;
  /** policy: of a cancelled reservation · operator: by hand · late: of a payment that came too late. */
  reason: 'policy' | 'operator' | 'late';
  state: RefundState;
  /** Sent with the request, so that a repeat refunds once. One reason refunds a payment in whole only once. */
  idempotency_key: string;
  provider_id: string | null;
  transaction_id: number | null;
  problem: string | null;
  tries: number;
  created_at: Instant;
  updated_at: Instant;
  next_look_at: number | null;
}

/** How an account is paid. */
export interface PaymentSettingsRow {
  account_id: AccountId;
  /** Where to transfer money to, as guests read it; null: no transfers. */
  transfer_text: string | null;
  /** Hours for which nights are held for a transfer. */
  transfer_hours: number;
  /** Minutes after which a calendar feed is too old to book by. */
  feed_minutes: number;
  /** 1: guests cancel on the page of their booking. 0: they write to the host. */
  guests_cancel: 0 | 1;
  /** Encrypted; context `stripe_key:<account>`. null: no payments by card. */
  stripe_key: string | null;
  /** Encrypted; context `stripe_webhook_secret:<account>`. */
  stripe_webhook_secret: string | null;
  updated_at: Instant;
}
