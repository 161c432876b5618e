/** At most `max` uses in each window of `seconds`. Windows begin at multiples of their length since the epoch (UTC). */
export interface LimitWindow {
  readonly seconds: number;
  readonly max: number;
}

/** The used part of one window. It counts only while the window that began at `start` is open. */
export interface Tally {
  /** Epoch seconds. */
  readonly start: number;
  readonly used: number;
}

/** A window without room. */
export interface FullWindow {
  readonly window: LimitWindow;
  /** Epoch seconds at which the next one begins. */
  readonly resetsAt: number;
  /** Whole seconds until then, at least 1. */
  readonly retryAfter: number;
}

/** Returns the start of the current window, in epoch seconds. */
export function windowStart(seconds: number, nowMs: number): number {
  return Math.floor(nowMs / (seconds * 1_000)) * seconds;
}

/** Returns the uses of the current window. */
export function usedOf(window: LimitWindow, tally: Tally | undefined, nowMs: number): number {
  return tally !== undefined && tally.start === windowStart(window.seconds, nowMs) ? tally.used : 0;
}

/**
 * Returns undefined if every window has room for one more use, else the full one that resets last, the first of them if
 * several reset together. All windows count, since after the shortest wait alone the next one would refuse.
 * @param tallies of the windows, in the same order; a missing one was never used
 */
export function fullWindow(
  windows: readonly LimitWindow[],
  tallies: readonly (Tally | undefined)[],
  nowMs: number,
): FullWindow | undefined {
  let last: LimitWindow | undefined;
  let resetsAt = 0;
  let index = -1;
  for (const window of windows) {
    index += 1;
    if (usedOf(window, tallies[index], nowMs) < window.max) continue;
    const end = windowStart(window.seconds, nowMs) + window.seconds;
    if (end <= resetsAt) continue;
    last = window;
    resetsAt = end;
  }
  return last && { window: last, resetsAt, retryAfter: Math.max(1, Math.ceil(resetsAt - nowMs / 1_000)) };
}

/** Returns the tally after `count` more uses. */
export function tallied(window: LimitWindow, tally: Tally | undefined, nowMs: number, count = 1): Tally {
  return { start: windowStart(window.seconds, nowMs), used: usedOf(window, tally, nowMs) + count };
}

/** Returns the name of a window for clients: `5s`, `1m`, `24h`. */
export function windowName({ seconds }: LimitWindow): string {
  if (seconds % 3_600 === 0) return `${seconds / 3_600}h`;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}
