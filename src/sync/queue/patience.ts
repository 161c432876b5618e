import type { Clock } from '../../kernel/clock.ts';
import { type Instant, instantOf } from '../../kernel/dates.ts';
import type { Logger } from '../../kernel/log.ts';

/**
 * Waits between the reads of a key whose event has announced something that does not show yet: together more than a
 * minute.
 */
const WAITS_MS = [1_000, 4_000, 15_000, 60_000];
const WAITS_AT_ONCE_MS = WAITS_MS.slice(0, 1);
/**
 * The number of waits for a key that has changed since its event was queued: only a change right after that can be
 * missing.
 */
const WAITS_AFTER_CHANGE = 1;
/** The time for which a source that has shown a change late is expected to do so again. */
const REMEMBERED_MS = 10 * 60_000;
const LONGEST_LAG_MS = 2 * 60_000;
/** Added to the lag, since the lag varies. */
const MARGIN_MS = 1_000;

/**
 * Values of `confirming` of a dirty row. A number from 0 counts the reads in vain.
 * - ANSWERED: everything should be there at the next read
 * - BEFORE: no read since the newest event, but some for an earlier one
 */
export const ANSWERED = 100;
export const BEFORE = -1;

/** A dirty key that was read, with the facts of its events. */
export interface Look {
  resource: string;
  /** See {@link ANSWERED}. */
  looks: number;
  /** Set if this read has found a change. */
  changed: boolean;
  /** Set if another read has found a change since the first of the events was queued. */
  changedBefore: boolean;
  /** The moments when the read was sent, and when the first and the last of the events came (epoch milliseconds). */
  sentAt: number;
  firstAt: number;
  lastAt: number;
}

/** undefined: everything announced was seen, or is given up. */
type NextLook = { again: Instant; looks: number } | undefined;

/** Decides how long to wait for a source that announces a change before it shows it. */
export interface Patience {
  /** Returns the time of the next read of a key that was just read. */
  next(look: Look): NextLook;
  /** Returns true if the next read of a key after so many reads is the last one if it is in vain. */
  isLast(looks: number): boolean;
}

export interface PatienceOptions {
  connection: string;
  clock: Clock;
  log: Logger;
  /** Set if the source shows a change before it announces it, as a core of ours does: one more read is enough. */
  showsAtOnce?: boolean;
}

/** Measures how late the source shows its changes, and schedules further reads until then. */
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
      // The change that shows belongs to the first event; the last one may announce more.
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

/** Returns true if a key was read as often as patience allows, and nothing announced could be seen. */
export function isGivenUp({ looks, changed, changedBefore }: Look): boolean {
  return looks === WAITS_MS.length && !changed && !changedBefore;
}
