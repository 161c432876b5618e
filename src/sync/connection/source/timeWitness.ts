import type { Clock } from '../../../kernel/clock.ts';

/**
 * The largest difference between our wall clock and the monotonic time, unless the clock was set or the machine slept.
 */
const JUMP_MS = 5_000;
/** The precision of the other side's time: whole seconds. */
const SECOND_MS = 1_000;

/** The difference of our clock from the other side's, according to its newest answer. */
interface Witnessed {
  /** Milliseconds that our clock is ahead at least; negative: behind; null: answers carry no time. */
  aheadMs: number | null;
  /** Milliseconds since that answer. */
  ageMs: number;
}

/** Collects the time that answers of the other side carry. */
export interface TimeWitness {
  /**
   * Reports that an answer has come.
   * @param date its header `Date`
   * @param askedMs the moment of the request by our clock
   */
  answered(date: string | undefined, askedMs: number): void;
  /** Returns the newest difference; undefined: no answer since the start, or since our clock was set. */
  newest(): Witnessed | undefined;
}

/** Remembers the other side's time in the newest answer. */
export function timeWitness(clock: Clock): TimeWitness {
  let seen: { aheadMs: number | null; at: number; base: number } | undefined;
  const base = () => clock.now() - clock.monotonic();

  function newest(): Witnessed | undefined {
    if (!seen || Math.abs(base() - seen.base) > JUMP_MS) return undefined;
    return { aheadMs: seen.aheadMs, ageMs: clock.monotonic() - seen.at };
  }

  return {
    newest,
    answered(date, askedMs) {
      const aheadMs = apart(Date.parse(date ?? ''), askedMs, clock.now());
      // An answer without a time does not replace one with a time.
      if (aheadMs === null && newest() !== undefined) return;
      seen = { aheadMs, at: clock.monotonic(), base: base() };
    },
  };
}

/**
 * Returns the certain part of the difference: the answer's time is between request and now, so only a time outside
 * counts.
 */
function apart(theirs: number, askedMs: number, nowMs: number): number | null {
  if (Number.isNaN(theirs)) return null;
  if (theirs + SECOND_MS < askedMs) return askedMs - (theirs + SECOND_MS);
  return Math.min(0, nowMs - theirs);
}
