const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long after the attempt before each further one is made. */
const PAUSES_MS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;
/** Pauses differ by as much of their length, in both directions, so that not all come back at once. */
const JITTER = 0.2;

export const MOST_ATTEMPTS = PAUSES_MS.length + 1;

/**
 * Milliseconds until the next attempt; undefined: there is none.
 * @param attempts how many have been made
 * @param retryAfterMs how long the endpoint asks to be left alone
 * @param fraction at random, 0 to 1
 */
export function pauseAfter(attempts: number, retryAfterMs: number | undefined, fraction: number): number | undefined {
  const pause = PAUSES_MS[attempts - 1];
  if (pause === undefined) return undefined;
  return Math.max(Math.round(pause * (1 + JITTER * (2 * fraction - 1))), retryAfterMs ?? 0);
}
