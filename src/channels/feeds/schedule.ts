import type { Random } from '../../kernel/random.ts';

const MINUTE_MS = 60_000;
/** The least and the most time between two reads of a feed. Each is read by its own clock, so that they do not bunch. */
const READ_MS = { least: 5 * MINUTE_MS, most: 15 * MINUTE_MS } as const;
/** The longest pause after failures. */
const LONGEST_MS = 6 * 60 * MINUTE_MS;

/** Returns the milliseconds from a good read to the next one. */
export function afterRead(random: Random): number {
  return READ_MS.least + Math.floor(random.fraction() * (READ_MS.most - READ_MS.least));
}

/** Returns the milliseconds from a failed read to the next one; twice as long after each further failure. */
export function afterFailure(random: Random, failures: number): number {
  const pause = Math.min(LONGEST_MS, READ_MS.least * 2 ** Math.min(failures - 1, 10));
  return Math.floor(pause * (1 + random.fraction() / 2));
}
