import type { Clock } from '../../../kernel/clock.ts';

/** Between our wall clock and the time that only ever grows there is no more than this, unless one was set or slept. */
const JUMP_MS = 5_000;
/** The other side tells whole seconds. */
const SECOND_MS = 1_000;

/** How our clock is to the other side's, as its newest answer says. */
export interface Witnessed {
  /** So much is ours ahead at least; negative: behind; null: answers do not say what time it is there. */
  aheadMs: number | null;
  /** How long ago it was answered. */
  ageMs: number;
}

/** What the answers of the other side say about the time. */
export interface TimeWitness {
  /**
   * An answer has come.
   * @param told its header `Date`
   * @param askedMs when it was asked for, by our clock
   */
  answered(told: string | undefined, askedMs: number): void;
  /** undefined: nobody has answered since the start, or since our clock was set. */
  newest(): Witnessed | undefined;
}

/** Remembers what time it was there when the newest answer left. */
export function timeWitness(clock: Clock): TimeWitness {
  let seen: { aheadMs: number | null; at: number; base: number } | undefined;
  const base = () => clock.now() - clock.monotonic();

  function newest(): Witnessed | undefined {
    if (!seen || Math.abs(base() - seen.base) > JUMP_MS) return undefined;
    return { aheadMs: seen.aheadMs, ageMs: clock.monotonic() - seen.at };
  }

  return {
    newest,
    answered(told, askedMs) {
      const aheadMs = apart(Date.parse(told ?? ''), askedMs, clock.now());
      // An answer that does not say takes nothing back.
      if (aheadMs === null && newest() !== undefined) return;
      seen = { aheadMs, at: clock.monotonic(), base: base() };
    },
  };
}

/** It was told between asking and now: only what lies outside of that is a difference. */
function apart(theirs: number, askedMs: number, nowMs: number): number | null {
  if (Number.isNaN(theirs)) return null;
  if (theirs + SECOND_MS < askedMs) return askedMs - (theirs + SECOND_MS);
  return Math.min(0, nowMs - theirs);
}
