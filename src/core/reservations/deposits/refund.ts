import { BOOKING_SITE } from '../../../contract/channelAccounts.ts';
import { instantOf } from '../../../kernel/dates.ts';
import type { Change } from '../../context.ts';
import type { ReservationRow, StayRow } from '../../database.ts';
import { firstEntry, refundItem } from '../../dictionaries/entries.ts';
import { postEntry } from '../../transactions/entries.ts';
import { receivedAmount } from '../views.ts';

/**
 * Refunds what the booking site has received for a reservation that has ended, as one expense entry of the system.
 * Marketplaces refund what they have received, and report it.
 */
export async function refundReceived(
  change: Change,
  reservation: ReservationRow,
  stays: readonly StayRow[],
): Promise<void> {
  if (stays[0]?.channel_type !== BOOKING_SITE) return;
  const { account_id, reservation_code, currency } = reservation;
  const amount = await receivedAmount(change.trx, account_id, reservation_code);
  if (amount <= 0) return;
  await postEntry(change, {
    account_id,
    direction: 'expense',
    item_id: await refundItem(change.trx, account_id),
    payment_method_id: await firstEntry(change.trx, account_id, 'expense_methods'),
    amount,
    currency,
    action_at: instantOf(change.now),
    note: '',
    reservation_code,
    property_id: null,
    operator_id: null,
  });
}
