import { createHmac } from 'node:crypto';
import { sameSecret } from '../../../kernel/signature.ts';

/** Seconds for which a code is valid (RFC 6238). */
const STEP_SECONDS = 30;
const DIGITS = 6;
/** Steps before and after now that are accepted, because clocks differ. */
const WINDOW = 1;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BITS = 5;

/** Returns the code of one time step: HMAC-SHA-1, truncated to six digits (RFC 4226). */
export function codeAt(secret: Buffer, step: number): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(message).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/**
 * Returns the time step that a code belongs to; undefined for a wrong code.
 * @param after the step of the last code that was used: each is used once
 */
export function stepOfCode(secret: Buffer, code: string, nowMs: number, after: number | null): number | undefined {
  const digits = code.replaceAll(/\s/g, '');
  const now = Math.floor(nowMs / 1_000 / STEP_SECONDS);
  const steps = Array.from({ length: 2 * WINDOW + 1 }, (_, index) => now - WINDOW + index);
  return steps.find((step) => (after === null || step > after) && sameSecret(codeAt(secret, step), digits));
}

/** Returns bytes in base32 (RFC 4648) without padding, as authenticators take secrets. */
export function base32(bytes: Buffer): string {
  let [text, rest, bits] = ['', 0, 0];
  for (const byte of bytes) {
    rest = (rest << 8) | byte;
    bits += 8;
    for (; bits >= BITS; bits -= BITS) text += ALPHABET[(rest >> (bits - BITS)) & 31];
    rest &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + ALPHABET[(rest << (BITS - bits)) & 31];
}

/** Returns the address that an authenticator reads from a picture. */
export function authenticatorAddress(secret: Buffer, login: string): string {
  const query = new URLSearchParams({ secret: base32(secret), issuer: 'stayd' });
  return `otpauth://totp/${encodeURIComponent(`stayd:${login}`)}?${query.toString()}`;
}
