import type { Core } from '../../../core/context.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import { BOOK_PATH } from './pages.ts';
import type { DirectBookingRow } from './rows.ts';
import { openBookingToken } from './secrets.ts';
import { bookingByCode } from './table.ts';

/** Returns the address at which a guest sees how their booking stands, and pays. */
export function addressOfBooking(core: Core, booking: Pick<DirectBookingRow, 'reservation_code' | 'token'>): string {
  return `${core.publicUrl()}${BOOK_PATH}/of/${openBookingToken(core, booking)}`;
}

/** Returns where a guest can pay what is open of a reservation; undefined if it was not made on a booking page. */
export async function paymentAddress(
  core: Core,
  { account_id, reservation_code }: { account_id: AccountId; reservation_code: string },
): Promise<string | undefined> {
  const booking = await bookingByCode(core.store.db, account_id, reservation_code);
  return booking && addressOfBooking(core, booking);
}
