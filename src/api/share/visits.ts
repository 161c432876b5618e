import type { Clock } from '../../kernel/clock.ts';

export const VISIT_WINDOW_SECONDS = 60;
/** Pages of one link in one window. */
const MOST_VISITS = 300;

/**
 * Returns a test that permits or denies one more visit of a link, by its number, in the current minute. In memory, for
 * existing links only: protection, not truth.
 */
export function linkVisits(clock: Clock): (link: number) => boolean {
  let window = 0;
  let visits = new Map<number, number>();
  return (link) => {
    const present = Math.floor(clock.now() / (VISIT_WINDOW_SECONDS * 1_000));
    if (present !== window) {
      window = present;
      visits = new Map();
    }
    const count = (visits.get(link) ?? 0) + 1;
    if (count > MOST_VISITS) return false;
    visits.set(link, count);
    return true;
  };
}
