import { createHash } from 'node:crypto';
import { sameSecret } from '../kernel/signature.ts';

/** The only method. With `plain`, anyone who sees the request holds its proof. */
export const CHALLENGE_METHOD = 'S256';
/** Form of a challenge: base64url of a SHA-256. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

export function isChallenge(text: string): boolean {
  return CHALLENGE.test(text);
}

/** Returns true if a challenge was made from this verifier (RFC 7636, S256). */
export function provesChallenge(verifier: string, challenge: string): boolean {
  return sameSecret(createHash('sha256').update(verifier).digest('base64url'), challenge);
}
