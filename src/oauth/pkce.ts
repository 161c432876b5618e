import { createHash } from 'node:crypto';
import { sameSecret } from '../kernel/signature.ts';

/** The only method: with `plain` whoever sees the request has what proves it. */
export const CHALLENGE_METHOD = 'S256';
/** base64url of a SHA-256. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

export function isChallenge(text: string): boolean {
  return CHALLENGE.test(text);
}

/** Whether a verifier is the one that a challenge was made of (RFC 7636, S256). */
export function provesChallenge(verifier: string, challenge: string): boolean {
  return sameSecret(createHash('sha256').update(verifier).digest('base64url'), challenge);
}
