import type { Random } from '../../kernel/random.ts';

const MINUTE_MS = 60_000;
/** The least and the most time between two reads of a mailbox. Each is read by its own clock, so that they do not bunch. */
const READ_MS = { least: 45_000, most: 75_000 } as const;
/** The longest pause after failures. */
const LONGEST_MS = 30 * MINUTE_MS;

/** Returns the milliseconds from a good read to the next one. */
export function afterRead(random: Random): number {
  return READ_MS.least + Math.floor(random.fraction() * (READ_MS.most - READ_MS.least));
}

/** Returns the milliseconds from a failed read to the next one; twice as long after each further failure. */
export function afterFailure(random: Random, failures: number): number {
  const pause = Math.min(LONGEST_MS, MINUTE_MS * 2 ** Math.min(failures - 1, 10));
  return Math.floor(pause * (1 + random.fraction() / 2));
}
