import type { Core } from '../../core/context.ts';
import { staysOf } from '../../core/reservations/lookup.ts';
import { type Currency, type Minor, wireAmount } from '../../kernel/money.ts';
import { readFrozen } from './bookings/frozen.ts';
import { addressOfBooking } from './bookings/address.ts';
import type { DirectBookingRow } from './bookings/rows.ts';
import { moneyOf } from './payments/due.ts';
import { openPaymentUrl } from './payments/settings.ts';
import { paymentsOf, refundsOf } from './payments/table.ts';

/** Returns a booking as people of the account see it: what was agreed, what came, what is due. */
export async function presentBooking(core: Core, booking: DirectBookingRow) {
  const { db } = core.store;
  const { account_id: accountId, reservation_code: code, currency } = booking;
  const quote = readFrozen(booking.quote);
  const [stay] = await staysOf(db, accountId, code);
  const { received, due, surplus } = await moneyOf(db, booking);
  const payments = await paymentsOf(db, accountId, code);
  const refunds = await refundsOf(db, accountId, code);
  const shown = (minor: Minor) => wireAmount(minor, currency);
  return {
    reservation_code: code,
    stay_code: booking.stay_code,
    property_id: booking.property_id,
    status: stay?.status ?? null,
    check_in_date: stay?.check_in_date ?? null,
    check_out_date: stay?.check_out_date ?? null,
    method: booking.method,
    language: booking.language,
    created_at: booking.created_at,
    expires_at: booking.expires_at,
    guest_url: addressOfBooking(core, booking),
    currency,
    quote: {
      lines: quote.lines.map(({ kind, name, quantity, unit, amount }) => {
        return { kind, name, quantity, unit: unit === null ? null : shown(unit), amount: shown(amount) };
      }),
      total: shown(quote.total),
      taxes: shown(quote.taxes),
      deposit: shown(quote.deposit),
      first_payment: shown(quote.first_payment),
      balance: shown(quote.balance),
      balance_due_date: quote.balance_due_date,
      cancellation: quote.cancellation,
    },
    received: shown(received),
    surplus: shown(surplus),
    due: due === null ? null : { purpose: due.purpose, amount: shown(due.amount) },
    payments: payments.map((row) => ({
      id: row.id,
      purpose: row.purpose,
      provider: row.provider,
      amount: shown(row.amount),
      received: row.received === null ? null : wireAmount(row.received, row.currency as Currency),
      state: row.state,
      url: row.url === null || row.state !== 'open' ? null : openPaymentUrl(core, row.id, row.url),
      expires_at: row.expires_at,
      transaction_id: row.transaction_id,
      problem: row.problem,
      updated_at: row.updated_at,
    })),
    refunds: refunds.map((row) => ({
      id: row.id,
      payment: row.payment_id,
      provider: row.provider,
      amount: shown(row.amount),
      reason: row.reason,
      state: row.state,
      transaction_id: row.transaction_id,
      problem: row.problem,
      updated_at: row.updated_at,
    })),
  };
}
