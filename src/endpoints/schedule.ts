const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds between an attempt and the next one. */
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
/** Random share by which a pause is lengthened or shortened, so that failed messages do not return all at once. */
const JITTER = 0.2;

export const MOST_ATTEMPTS = PAUSES_MS.length + 1;

/**
 * Returns the milliseconds until the next attempt, or undefined if there is none.
 * @param attempts number of attempts so far
 * @param retryAfterMs pause that the endpoint asks for
 * @param fraction random number from 0 to 1
 */
export function pauseAfter(attempts: number, retryAfterMs: number | undefined, fraction: number): number | undefined {
  const pause = PAUSES_MS[attempts - 1];
  if (pause === undefined) return undefined;
  return Math.max(Math.round(pause * (1 + JITTER * (2 * fraction - 1))), retryAfterMs ?? 0);
}
