import { runChange } from '../../../core/change.ts';
import type { Change } from '../../../core/context.ts';
import type { AccountRow } from '../../../core/database.ts';
import { lockReservation, staysOf } from '../../../core/reservations/lookup.ts';
import { instantOf, msOf } from '../../../kernel/dates.ts';
import { beginRefund } from '../payments/refunds.ts';
import { paymentsOf, writePayment } from '../payments/table.ts';
import type { DirectWork } from '../work.ts';
import { shareAt } from './cancel.ts';
import type { DirectBookingRow } from './rows.ts';
import { bookingByCode, markSettled } from './table.ts';

/**
 * Deals once with a booking that has ended: open payments are called off, and after a cancellation the guest gets back
 * what the policy says that held when they booked.
 */
export async function settleEnded(work: DirectWork, account: AccountRow, ended: DirectBookingRow): Promise<void> {
  await runChange(work.core, { account, operator: null }, async (change) => {
    const { trx, now } = change;
    await lockReservation(trx, account.account_id, ended.reservation_code);
    const booking = await bookingByCode(trx, account.account_id, ended.reservation_code);
    const [stay] = await staysOf(trx, account.account_id, ended.reservation_code);
    if (!booking || booking.settled_at !== null || !stay) return;
    if (stay.status === 'cancelled') await refundByPolicy(change, booking, stay.cancelled_at ?? instantOf(now));
    for (const payment of await paymentsOf(trx, account.account_id, booking.reservation_code))
      if (payment.state === 'open' || payment.state === 'starting')
        await writePayment(trx, payment, { next_look_at: now });
    await markSettled(trx, booking, instantOf(now));
  });
}

async function refundByPolicy(change: Change, booking: DirectBookingRow, cancelledAt: string): Promise<void> {
  const { refund } = await shareAt(change.trx, change.account, booking, msOf(cancelledAt));
  if (refund > 0)
    await beginRefund(change, booking.reservation_code, { amount: refund, reason: 'policy', key: 'policy' });
}
