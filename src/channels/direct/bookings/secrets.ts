import type { Core } from '../../../core/context.ts';
import type { CoreTransaction } from '../../../core/database.ts';
import type { Reseal } from '../../../kernel/seal.ts';
import type { BookingPageRow, DirectBookingRow } from './rows.ts';
import { allTokens, saveBookingToken, writePage } from './table.ts';

type Keys = Pick<Core, 'sealer'>;

/** Bytes of a token: 192 bits cannot be guessed. */
const TOKEN_BYTES = 24;
/** The form of every token here. */
export const TOKEN = /^[A-Za-z0-9_-]{32}$/;

export function newToken({ random }: Pick<Core, 'random'>): string {
  return random.bytes(TOKEN_BYTES).toString('base64url');
}

export function sealPageToken({ sealer }: Keys, id: number, token: string): string {
  return sealer.seal(token, pageContext(id));
}

export function openPageToken({ sealer }: Keys, { id, token }: Pick<BookingPageRow, 'id' | 'token'>): string {
  return sealer.open(token, pageContext(id));
}

export function sealBookingToken({ sealer }: Keys, code: string, token: string): string {
  return sealer.seal(token, bookingContext(code));
}

export function openBookingToken(
  { sealer }: Keys,
  { reservation_code, token }: Pick<DirectBookingRow, 'reservation_code' | 'token'>,
): string {
  return sealer.open(token, bookingContext(reservation_code));
}

/** Seals the tokens of booking pages and of bookings with another key. @returns their number */
export async function resealBookings(trx: CoreTransaction, reseal: Reseal): Promise<number> {
  const { pages, bookings } = await allTokens(trx);
  for (const { account_id, id, token } of pages)
    await writePage(trx, { account_id, id }, { token: reseal(token, pageContext(id)) });
  for (const { token, ...of } of bookings)
    await saveBookingToken(trx, { ...of, token: reseal(token, bookingContext(of.reservation_code)) });
  return pages.length + bookings.length;
}

function pageContext(id: number): string {
  return `booking_page:${id}`;
}

function bookingContext(code: string): string {
  return `direct_booking:${code}`;
}
