import type { Clock, Timer } from '../kernel/clock.ts';

/** A timer that comes later than this was held up by ourselves. */
const STALL_MS = 100;
/** Somebody who is always held up must end some time. */
const MOST_STALLS = 10;

/**
 * Calls `fn` once when `ms` milliseconds are over in which this process could have seen an answer: for as long as it
 * stood still, it waits on, since that time was not the other side's.
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
