import type { Clock, Timer } from '../kernel/clock.ts';

/** Milliseconds of delay of a timer that show that this process itself was blocked. */
const STALL_MS = 100;
/** The number of blocked periods after which the timer fires in any case. */
const MOST_STALLS = 10;

/**
 * Calls `fn` once after `ms` milliseconds in which this process could have seen an answer. Time in which the process
 * was blocked does not count, since it was not the other side's.
 */
export function setAwakeTimer(clock: Clock, ms: number, fn: () => void): Timer {
  let stalls = 0;
  let timer: Timer;
  const arm = (waitMs: number) => {
    const dueAt = clock.monotonic() + waitMs;
    timer = clock.setTimer(waitMs, () => {
      const stallMs = clock.monotonic() - dueAt;
      if (stallMs <= STALL_MS || stalls === MOST_STALLS) return fn();
      stalls += 1;
      arm(Math.min(stallMs, ms));
    });
  };
  arm(ms);
  return { cancel: () => timer.cancel() };
}
