import { runChange } from '../../../core/change.ts';
import type { AccountRow, CoreDb, CoreTransaction, StayRow } from '../../../core/database.ts';
import { cancelStays } from '../../../core/reservations/change.ts';
import { lockReservation, staysOf } from '../../../core/reservations/lookup.ts';
import { receivedAmount } from '../../../core/reservations/views.ts';
import { dateIn } from '../../../kernel/dates.ts';
import type { Minor } from '../../../kernel/money.ts';
import { readSettings } from '../payments/settings.ts';
import { refundOf } from '../quotes/quote.ts';
import type { DirectWork } from '../work.ts';
import { readFrozen } from './frozen.ts';
import type { DirectBookingRow } from './rows.ts';
import { propertyById } from './table.ts';

/** How what a guest has paid is divided when they cancel. Minor units of the booking's currency. */
export interface CancellationShare {
  readonly refund: Minor;
  readonly kept: Minor;
}

type Read = CoreDb | CoreTransaction;

/** Divides what was received for a booking that is cancelled at a moment (ms), by the policy that held when it was made. */
export async function shareAt(
  db: Read,
  { account_id, time_zone }: AccountRow,
  booking: DirectBookingRow,
  at: number,
): Promise<CancellationShare> {
  const property = await propertyById(db, account_id, booking.property_id);
  const received = await receivedAmount(db, account_id, booking.reservation_code);
  const day = dateIn(property?.time_zone ?? time_zone, at);
  return refundOf(readFrozen(booking.quote).cancellation, Math.max(0, received), day);
}

/**
 * Returns what becomes of the money if the guest cancels at a moment (ms); undefined where they cannot: the booking does
 * not stand, the day of arrival has come, or the account wants to be asked.
 */
export async function guestCancellation(
  db: Read,
  account: AccountRow,
  booking: DirectBookingRow,
  at: number,
): Promise<CancellationShare | undefined> {
  const { account_id } = account;
  const settings = await readSettings(db, account_id);
  if (settings.guests_cancel === 0) return undefined;
  for (const stay of await staysOf(db, account_id, booking.reservation_code)) {
    if (stay.status !== 'wait_pay' && stay.status !== 'accepted') return undefined;
    if (await hasBegun(db, account, stay, at)) return undefined;
  }
  return shareAt(db, account, booking, at);
}

/**
 * Cancels a booking for its guest, and frees its nights. What goes back is sent or noted afterwards, as after every
 * cancellation.
 * @param shown what the guest has read would go back
 * @returns false if that is not so any more, or they cannot cancel; nothing has changed then
 */
export function cancelByGuest(
  { core }: DirectWork,
  account: AccountRow,
  booking: DirectBookingRow,
  shown: Minor,
): Promise<boolean> {
  const { account_id } = account;
  const code = booking.reservation_code;
  return runChange(core, { account, operator: null }, async (change) => {
    await lockReservation(change.trx, account_id, code);
    const share = await guestCancellation(change.trx, account, booking, change.now);
    if (share?.refund !== shown) return false;
    await cancelStays(change, await staysOf(change.trx, account_id, code));
    change.audit('cancel by guest', code, { after: { refund: share.refund, kept: share.kept } });
    return true;
  });
}

async function hasBegun(db: Read, { account_id, time_zone }: AccountRow, stay: StayRow, at: number): Promise<boolean> {
  const property = await propertyById(db, account_id, stay.property_id);
  return dateIn(property?.time_zone ?? time_zone, at) >= stay.check_in_date;
}
