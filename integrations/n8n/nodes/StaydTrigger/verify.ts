import { createHmac, timingSafeEqual } from 'node:crypto';

/** The allowed difference between the time in a signature and now, in either direction. */
export const TOLERANCE_SECONDS = 300;
/** Ids that are remembered beyond the time in which a signature is accepted. */
const REMEMBERED = 500;
const TIMESTAMP = /^[1-9]\d{0,11}$/;

/** A delivery as it came. */
export interface Delivery {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The bytes that were signed; undefined where n8n has kept none. */
  body: Buffer | undefined;
}

/** Ids of events with the milliseconds of their arrival, oldest first. */
export type Seen = Array<[id: string, at: number]>;

/**
 * Returns why a delivery is refused; undefined: the service has sent it.
 * @param secret what the registration has answered
 */
export function refusalOf({ headers, body }: Delivery, secret: string, nowMs: number): string | undefined {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (secret === '' || body === undefined) return 'cannot be verified';
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return 'not signed';
  if (!TIMESTAMP.test(timestamp)) return 'not signed';
  if (Math.abs(Math.floor(nowMs / 1_000) - Number(timestamp)) > TOLERANCE_SECONDS) return 'too old';
  const digest = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return signatures.split(' ').some((one) => isSame(one, `v1,${digest}`)) ? undefined : 'wrong signature';
}

/** Returns the ids to remember after an event; undefined: it was seen before. */
export function remember(seen: Seen, id: string, nowMs: number): Seen | undefined {
  if (seen.some(([known]) => known === id)) return undefined;
  const since = nowMs - 2 * TOLERANCE_SECONDS * 1_000;
  const kept = seen.filter(([, at], index) => at > since || index >= seen.length - REMEMBERED);
  return [...kept, [id, nowMs]];
}

/** The bytes after `whsec_`, in base64; any other secret as it is. */
function keyOf(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
}

function isSame(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
