import { type FullWindow, fullWindow, type LimitWindow, type Tally } from '../../kernel/windows.ts';

/** `X-RateLimit-Scope`: which limit stopped a request. */
export type LimitScope = 'user' | 'token' | 'endpoint' | 'endpoint_error';

/** One limit as it stands: its windows and what was used of each. */
export interface Limit {
  readonly scope: LimitScope;
  readonly windows: readonly LimitWindow[];
  readonly tallies: readonly (Tally | undefined)[];
}

export interface Stop extends FullWindow {
  readonly scope: LimitScope;
}

/**
 * Whether one more request is allowed: undefined, or the one limit that keeps it out longest. Of limits that
 * reset together the first is named, so the widest stands first.
 */
export function decide(limits: readonly Limit[], nowMs: number): Stop | undefined {
  let stop: Stop | undefined;
  for (const { scope, windows, tallies } of limits) {
    const full = fullWindow(windows, tallies, nowMs);
    if (full && (!stop || full.resetsAt > stop.resetsAt)) stop = { scope, ...full };
  }
  return stop;
}
