import type { ReservationStatus } from '../../contract/reservations.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { ReservationCode } from '../../kernel/ids.ts';
import { readableCode } from '../../kernel/ids.ts';
import type { Minor } from '../../kernel/money.ts';
import type { Random } from '../../kernel/random.ts';

/**
 * The life of a direct booking. It is accepted from the start, and can only be cancelled; the moves of
 * channel bookings join this table with their operations.
 */
export const transitions = [
  { from: null, trigger: 'book_direct', to: 'accepted' },
  { from: 'accepted', trigger: 'cancel_direct', to: 'cancelled' },
] as const satisfies readonly { from: ReservationStatus | null; trigger: string; to: ReservationStatus }[];

export type ReservationTrigger = (typeof transitions)[number]['trigger'];

/** The status a trigger leads to. @throws ApiError 400 when it cannot happen in this status */
export function moved(from: ReservationStatus | null, trigger: ReservationTrigger): ReservationStatus {
  const transition = transitions.find((row) => row.from === from && row.trigger === trigger);
  if (!transition) throw new ApiError(400, `The reservation is ${from ?? 'not made yet'}; this cannot be done now.`);
  return transition.to;
}

/** Statuses in which a stay's nights are nobody else's. */
const HOLDING: ReadonlySet<ReservationStatus> = new Set(['wait_accept', 'wait_pay', 'accepted']);

export function holdsNights(status: ReservationStatus): boolean {
  return HOLDING.has(status);
}

const DIRECT_PREFIX = '5-';
const CODE_LENGTH = 6;

/** Only direct bookings carry this prefix, so the code alone tells them from a channel's. */
export function isDirect(code: string): boolean {
  return code.startsWith(DIRECT_PREFIX);
}

/** A code for a direct booking: prefix, the caller's own reference if there is one, and a random part. */
export function directCode(random: Random, channelId: string | undefined): ReservationCode {
  const own = channelId === undefined ? readableCode(random, CODE_LENGTH) : channelId;
  return `${DIRECT_PREFIX}${own}-${readableCode(random, CODE_LENGTH)}` as ReservationCode;
}

/** The lines of a rate that is for the room alone, as they are stored. */
export function accommodation(rate: Minor): string {
  return JSON.stringify([{ type: 'ACCOMMODATION', description: '', amount: rate }]);
}

export interface Payment {
  total: Minor;
  received: Minor;
  balance: Minor;
  status: 'unreceived' | 'partial' | 'received' | 'over_received';
}

/** What is owed on a booking as a whole: rate less commission, against income less refunds. */
export function paymentOf(booking: { rate: Minor; commission: Minor; received: Minor }): Payment {
  const total = booking.rate - booking.commission;
  const { received } = booking;
  return { total, received, balance: Math.max(0, total - received), status: paymentStatus(total, received) };
}

function paymentStatus(total: Minor, received: Minor): Payment['status'] {
  if (received === total) return 'received';
  if (received > total) return 'over_received';
  return received > 0 ? 'partial' : 'unreceived';
}
