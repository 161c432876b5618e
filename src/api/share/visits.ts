import type { Clock } from '../../kernel/clock.ts';

export const VISIT_WINDOW_SECONDS = 60;
/** Pages of one link in one window. */
const MOST_VISITS = 300;
/** Tokens remembered in one window; beyond it a flood of made-up ones is refused as one. */
const MOST_TOKENS = 10_000;

/** Tells whether a link may be looked at once more in the present minute. Kept in memory: protection, not truth. */
export function linkVisits(clock: Clock): (token: string) => boolean {
  let window = 0;
  let visits = new Map<string, number>();
  return (token) => {
    const present = Math.floor(clock.now() / (VISIT_WINDOW_SECONDS * 1_000));
    if (present !== window) {
      window = present;
      visits = new Map();
    }
    const key = visits.has(token) || visits.size < MOST_TOKENS ? token : '';
    const count = (visits.get(key) ?? 0) + 1;
    if (count > MOST_VISITS) return false;
    visits.set(key, count);
    return true;
  };
}
