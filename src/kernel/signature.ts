import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** The allowed difference between the time in a signed webhook and ours, in either direction. */
export const SIGNATURE_TOLERANCE_SECONDS = 300;

/** Returns the SHA-256 of a text, in hex. Enough for secrets of 128 bits and more, which cannot be guessed. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Compares two texts in a time that depends on the expected one's length only. An empty expected text is an unset
 * secret, so nothing equals it.
 */
export function sameSecret(given: string, expected: string): boolean {
  if (expected === '') return false;
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  if (a.length !== b.length) {
    timingSafeEqual(b, b);
    return false;
  }
  return timingSafeEqual(a, b);
}

/**
 * A text that a header carries unchanged: no control characters, none beyond Latin-1, no blank at either end. (undici
 * refuses most of the rest, but 7.30.2 then forgets to free the connection it had chosen.)
 */
export const HEADER_VALUE = /^(?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/;

/** Returns the HMAC key of a webhook secret: the decoded bytes after `whsec_`, or a foreign secret's UTF-8 bytes. */
export function signingKey(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
}

/**
 * Returns the Standard Webhooks signature of a delivery: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`.
 * @param timestamp seconds since the epoch, as sent in `webhook-timestamp`
 */
export function signWebhook(key: Buffer, id: string, timestamp: number, body: string | Buffer): string {
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return `v1,${digest}`;
}

export interface SignedDelivery {
  id: string;
  /** `webhook-timestamp` as received. */
  timestamp: string;
  /** `webhook-signature` as received: one or more signatures, separated by spaces. */
  signature: string;
  body: Buffer;
}

/** The canonical form: a leading zero would be a second spelling of the same signed time. */
const TIMESTAMP = /^[1-9]\d{0,11}$/;

/**
 * Returns true if any of the signatures is ours for these exact bytes, within the tolerance of `nowMs`. An empty key
 * verifies nothing, since anyone could sign with it. Never throws, whatever the headers hold.
 */
export function verifyWebhook(key: Buffer, delivery: SignedDelivery, nowMs: number): boolean {
  if (!TIMESTAMP.test(delivery.timestamp) || delivery.id === '' || key.length === 0) return false;
  const timestamp = Number(delivery.timestamp);
  if (Math.abs(Math.floor(nowMs / 1000) - timestamp) > SIGNATURE_TOLERANCE_SECONDS) return false;
  const expected = signWebhook(key, delivery.id, timestamp, delivery.body);
  return delivery.signature.split(' ').some((candidate) => sameSecret(candidate, expected));
}
