import { type FullWindow, fullWindow, type LimitWindow, type Tally } from '../../kernel/limits/windows.ts';

/** `X-RateLimit-Scope`: the limit that stopped a request. */
export type LimitScope = 'user' | 'token' | 'endpoint' | 'endpoint_error';

/** One limit with its windows and the use of each. */
export interface Limit {
  readonly scope: LimitScope;
  readonly windows: readonly LimitWindow[];
  readonly tallies: readonly (Tally | undefined)[];
}

export interface Stop extends FullWindow {
  readonly scope: LimitScope;
}

/**
 * Returns undefined if one more request is allowed, or else the limit with the longest wait. Of limits that reset
 * together the first is named, so the widest must come first.
 */
export function decide(limits: readonly Limit[], nowMs: number): Stop | undefined {
  let stop: Stop | undefined;
  for (const { scope, windows, tallies } of limits) {
    const full = fullWindow(windows, tallies, nowMs);
    if (full && (!stop || full.resetsAt > stop.resetsAt)) stop = { scope, ...full };
  }
  return stop;
}
