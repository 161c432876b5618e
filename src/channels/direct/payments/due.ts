import type { CoreDb, CoreTransaction } from '../../../core/database.ts';
import { receivedAmount } from '../../../core/reservations/views.ts';
import type { Minor } from '../../../kernel/money.ts';
import { readFrozen } from '../bookings/frozen.ts';
import type { DirectBookingRow } from '../bookings/rows.ts';
import type { PaymentPurpose } from './rows.ts';

/** What was agreed about the money of a booking, and what has come. Minor units of its currency. */
export interface MoneyState {
  readonly total: Minor;
  /** Received, less what went back: by the ledger, so that entries by hand count. */
  readonly received: Minor;
  /** What is to be paid next, and what it is for; null: nothing is owed. */
  readonly due: { readonly purpose: Exclude<PaymentPurpose, 'deposit'>; readonly amount: Minor } | null;
  /** More than was agreed. */
  readonly surplus: Minor;
}

export async function moneyOf(db: CoreDb | CoreTransaction, booking: DirectBookingRow): Promise<MoneyState> {
  const { total, first_payment } = readFrozen(booking.quote);
  const received = await receivedAmount(db, booking.account_id, booking.reservation_code);
  return { total, received, due: dueOf({ total, first_payment, received }), surplus: Math.max(0, received - total) };
}

function dueOf({ total, first_payment, received }: { total: Minor; first_payment: Minor; received: Minor }) {
  if (received < first_payment) return { purpose: 'first_payment', amount: first_payment - received } as const;
  return received < total ? ({ purpose: 'balance', amount: total - received } as const) : null;
}
