import type { ReservationStatus } from '../../contract/reservations.ts';
import { ApiError } from '../../kernel/errors.ts';
import { readableCode, readableMoment, type ReservationCode } from '../../kernel/ids.ts';
import type { Minor } from '../../kernel/money.ts';
import type { Random } from '../../kernel/random.ts';
import { machine } from '../../kernel/transitions.ts';

/** Milliseconds that a request to book waits for an answer. */
export const ANSWER_MS = 24 * 3_600_000;
/** Milliseconds that a reservation of the booking site waits for its payment. */
export const PAYMENT_MS = 30 * 60_000;

/**
 * The life of a reservation. A direct one is accepted from the start, or waits for its payment if a guest made it; the
 * operator can cancel it. A channel
 * delivers a request that waits for an answer, a confirmed reservation, or (the booking site alone) one that waits for
 * its payment. A waiting reservation ends by itself when its time is over.
 */
export const reservationLife = machine({
  name: 'reservation',
  is: 'A booking, and each of its stays.',
  before: 'not made yet',
  states: {
    wait_accept: 'A guest asks to book; the host has not answered.',
    wait_pay: 'Booked on the own site; the payment has not come.',
    accepted: 'It stands.',
    cancelled: 'Called off.',
    denied: 'The host has declined the request.',
    timeout: 'Nobody answered or paid in time.',
  } satisfies Record<ReservationStatus, string>,
  final: ['cancelled', 'denied'],
  rows: [
    { from: null, trigger: 'book_direct', to: 'accepted' },
    { from: null, trigger: 'request', to: 'wait_accept' },
    { from: null, trigger: 'book_instantly', to: 'accepted' },
    { from: null, trigger: 'book_unpaid', to: 'wait_pay' },
    { from: 'wait_accept', trigger: 'approve', to: 'accepted' },
    { from: 'wait_accept', trigger: 'decline', to: 'denied' },
    { from: 'wait_pay', trigger: 'pay', to: 'accepted' },
    { from: ['wait_accept', 'wait_pay'], trigger: 'expire', to: 'timeout' },
    { from: ['wait_accept', 'wait_pay', 'accepted'], trigger: 'cancel_on_channel', to: 'cancelled' },
    {
      from: ['wait_pay', 'accepted'],
      trigger: 'cancel_direct',
      to: 'cancelled',
      note: 'By the operator, or by the guest on the page of a direct booking.',
    },
    {
      from: 'timeout',
      trigger: 'pay_late',
      to: 'accepted',
      note: 'The payment came after its time, and the nights were still free.',
    },
  ],
});

/** Statuses in which a stay holds its nights. */
const HOLDING: ReadonlySet<ReservationStatus> = new Set(['wait_accept', 'wait_pay', 'accepted']);

export function holdsNights(status: ReservationStatus): boolean {
  return HOLDING.has(status);
}

/** Refuses to move a stay that has ended, to another property or other dates. @throws ApiError 400 */
export function requireStanding(status: ReservationStatus): void {
  if (!holdsNights(status)) throw new ApiError(400, `The reservation is ${status}; it cannot be moved any more.`);
}

const DIRECT_PREFIX = '5-';
const CHANNEL_PREFIX = '0';
const CODE_LENGTH = 6;
/** 40 bits: at 1,000 bookings a second, two are equal once in 25 days, and the later one is refused. */
const LONG_CODE_LENGTH = 8;
/** Most characters of a channel's id in a code. The id itself can be as long as a calendar's UID. */
const REFERENCE_LENGTH = 32;

/** Returns true for the code of a direct reservation. Only direct ones have this prefix, so the code alone tells. */
export function isDirect(code: string): boolean {
  return code.startsWith(DIRECT_PREFIX);
}

/**
 * Returns a code for a direct reservation: prefix, the caller's own reference if there is one, and a random part.
 * Without a reference the code begins with its second, so that bookings made together lie together in every index, and
 * its random part is long enough that two codes of one second differ.
 */
export function directCode(random: Random, now: number, channelId: string | undefined): ReservationCode {
  const rest =
    channelId === undefined
      ? `${readableMoment(now)}-${readableCode(random, LONG_CODE_LENGTH)}`
      : `${channelId}-${readableCode(random, CODE_LENGTH)}`;
  return `${DIRECT_PREFIX}${rest}` as ReservationCode;
}

/**
 * Returns a code for a channel's reservation. Its prefix distinguishes it from a direct one, and it contains the
 * readable part of the channel's id.
 */
export function channelCode(random: Random, channelId: string): ReservationCode {
  const own = channelId.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, REFERENCE_LENGTH);
  const parts = [CHANNEL_PREFIX, ...(own === '' ? [] : [own]), readableCode(random, CODE_LENGTH)];
  return parts.join('-') as ReservationCode;
}

/** Returns the stored lines of a rate for the room alone. */
export function accommodation(rate: Minor): string {
  return JSON.stringify([{ type: 'ACCOMMODATION', description: '', amount: rate }]);
}

interface Payment {
  total: Minor;
  received: Minor;
  balance: Minor;
  status: (typeof paymentStatuses)[number]['status'];
}

/** Returns the payment state of a whole reservation: rate less commission, against income less refunds. */
export function paymentOf(booking: { rate: Minor; commission: Minor; received: Minor }): Payment {
  const total = booking.rate - booking.commission;
  const { received } = booking;
  return { total, received, balance: Math.max(0, total - received), status: paymentStatus(total, received) };
}

/**
 * Payment statuses. The first row that holds applies. The status follows from the amounts alone, whatever came before.
 */
export const paymentStatuses = [
  { status: 'received', holds: (total, received) => received === total },
  { status: 'over_received', holds: (total, received) => received > total },
  { status: 'partial', holds: (_total, received) => received > 0 },
  { status: 'unreceived', holds: () => true },
] as const satisfies readonly { status: string; holds: (total: Minor, received: Minor) => boolean }[];

function paymentStatus(total: Minor, received: Minor): Payment['status'] {
  const row = paymentStatuses.find(({ holds }) => holds(total, received));
  if (!row) throw new Error('the last row of the payment statuses always holds');
  return row.status;
}
