import { z } from 'zod';
import { transportFailure } from './callError.ts';
import { type ClientOptions, timeLimit, tokenHeader } from './client.ts';
import { exchange, TOTAL_MS } from './transport.ts';

/** The operation in the messages of failures: a core of ours answers this beside its reservations. */
const OPERATION = 'listReservations';

/** A page of a reservation for its guests: what they need for the stay, or what they pay by. */
export type GuestLink = 'guest_page' | 'booking_page';

const link = z.url({ protocol: /^https?$/ }).nullable();
/** How each link is asked for; asking for a page for guests makes it. */
const QUESTIONS = {
  guest_page: {
    method: 'POST',
    body: '{}',
    path: (code: string) => `/portal/reservations/${code}/guest_page`,
    shape: z.object({ url: link }).transform(({ url }) => url),
  },
  booking_page: {
    method: 'GET',
    body: undefined,
    path: (code: string) => `/portal/bookings/${code}`,
    shape: z.object({ guest_url: link }).transform(({ guest_url }) => guest_url),
  },
} as const;

type Options = Pick<
  ClientOptions,
  'baseUrl' | 'token' | 'renew' | 'profile' | 'userAgent' | 'clock' | 'dispatcher' | 'onAnswered'
>;

/** Returns the link of a page of a reservation for its guests. */
export type AskGuestLink = (
  kind: GuestLink,
  reservationCode: string,
  signal: AbortSignal,
) => Promise<string | undefined>;

/**
 * Returns a question that only a core of ours answers. It resolves to undefined where the other side is something else,
 * does not know the reservation or has no such page of it, or its token may not ask. It throws a CallError where no answer came, or one that may
 * pass.
 */
export function guestLinkQuestion(options: Options): AskGuestLink {
  const { origin } = new URL(options.baseUrl);
  const { dispatcher, clock, userAgent, onAnswered } = options;
  return async (kind, reservationCode, signal) => {
    const { method, path, body: sent, shape } = QUESTIONS[kind];
    const limit = timeLimit(clock, TOTAL_MS, signal);
    try {
      const headers = {
        accept: 'application/json',
        'content-type': 'application/json',
        'user-agent': userAgent,
        ...tokenHeader(options, await options.token()),
      };
      const request = { method, path: path(encodeURIComponent(reservationCode)), headers, body: sent };
      const askedMs = clock.now();
      const { status, body, header } = await exchange(dispatcher, origin, OPERATION, request, limit.signal);
      onAnswered?.(header('date'), askedMs);
      if (status >= 500 || status === 429) throw transportFailure(OPERATION, `HTTP status ${status}`);
      return status === 200 ? readAnswer(shape, body.toString('utf8')) : undefined;
    } finally {
      limit.clear();
    }
  };
}

/** Returns undefined for the answer of something else. */
function readAnswer(shape: z.ZodType<string | null>, text: string): string | undefined {
  try {
    return shape.parse(JSON.parse(text)) ?? undefined;
  } catch {
    return undefined;
  }
}
