import type { Clock } from '../../kernel/clock.ts';
import { type Instant, instantOf } from '../../kernel/dates.ts';
import type { Logger } from '../../kernel/log.ts';

/** Waits between the looks at a key whose event has announced what cannot be seen yet: together more than a minute. */
const WAITS_MS = [1_000, 4_000, 15_000, 60_000];
const WAITS_AT_ONCE_MS = WAITS_MS.slice(0, 1);
/** Of a key that has changed since its event was queued, only what came right after that can be missing. */
const WAITS_AFTER_CHANGE = 1;
/** A source that has shown a change late is expected to do so again for so long. */
const REMEMBERED_MS = 10 * 60_000;
const LONGEST_LAG_MS = 2 * 60_000;
/** Beyond the lag: it is not the same each time. */
const MARGIN_MS = 1_000;

/**
 * How often a key was looked at in vain, as `confirming` of its dirty row says it: so many times · ANSWERED: everything
 * should be there at the next look · BEFORE: not since the newest event, but for an earlier one.
 */
export const ANSWERED = 100;
export const BEFORE = -1;

/** A dirty key that was read, with what its events say. */
export interface Look {
  resource: string;
  /** See {@link ANSWERED}. */
  looks: number;
  /** This read has found a change. */
  changed: boolean;
  /** Another read has found one since the first of the events was queued. */
  changedBefore: boolean;
  /** When the read was sent, and when the first and the last of the events came (epoch milliseconds). */
  sentAt: number;
  firstAt: number;
  lastAt: number;
}

/** undefined: everything announced was seen, or is given up. */
export type NextLook = { again: Instant; looks: number } | undefined;

/** How long a source is waited for that tells of a change before it shows it. */
export interface Patience {
  /** When a key that was just read is looked at again. */
  next(look: Look): NextLook;
  /** Whether the next look at a key that was looked at so often is the last one, if it is in vain. */
  isLast(looks: number): boolean;
}

export interface PatienceOptions {
  connection: string;
  clock: Clock;
  log: Logger;
  /** The source shows a change before it tells of it, as a core of ours does: one more look is enough. */
  showsAtOnce?: boolean;
}

/** Learns how late the source shows its changes, and looks again until then. */
export function patience({ connection, clock, log, showsAtOnce = false }: PatienceOptions): Patience {
  const waits = showsAtOnce ? WAITS_AT_ONCE_MS : WAITS_MS;
  const lags = new Map<string, { ms: number; learnedAt: number }>();

  function lagOf(resource: string): number {
    const lag = lags.get(resource);
    return lag && clock.now() - lag.learnedAt < REMEMBERED_MS ? lag.ms : 0;
  }

  function learn({ resource, sentAt, firstAt }: Look): void {
    const ms = Math.min(Math.max(sentAt - firstAt, lagOf(resource)), LONGEST_LAG_MS);
    if (ms > lagOf(resource))
      log.info({ connection, resource, lag_ms: ms }, 'upstream shows changes after their events');
    lags.set(resource, { ms, learnedAt: clock.now() });
  }

  return {
    isLast: (looks) => waits[Math.max(0, looks)] === undefined,
    next(look) {
      const { resource, looks, changed, changedBefore, sentAt, lastAt } = look;
      if (looks === ANSWERED) return undefined;
      if (changed && looks !== 0) learn(look);
      const lag = lagOf(resource);
      // What shows is what the first event told of; the last one may tell of more.
      if (lag > 0 && sentAt < lastAt + lag) {
        return { again: instantOf(Math.max(clock.now(), lastAt + lag) + MARGIN_MS), looks: changed ? ANSWERED : looks };
      }
      if (changed) return undefined;
      const tried = Math.max(0, looks);
      const waitMs = waits[tried];
      if (waitMs === undefined || (changedBefore && tried >= WAITS_AFTER_CHANGE)) return undefined;
      return { again: instantOf(clock.now() + waitMs), looks: tried + 1 };
    },
  };
}

/** Whether a key was looked at as often as there is patience, and nothing that was announced could be seen. */
export function isGivenUp({ looks, changed, changedBefore }: Look): boolean {
  return looks === WAITS_MS.length && !changed && !changedBefore;
}
