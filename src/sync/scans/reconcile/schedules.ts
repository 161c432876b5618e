import { type Clock, sleep } from '../../../kernel/clock.ts';
import { type Instant, instantOf } from '../../../kernel/dates.ts';
import { type Cron, nextRun } from './cron.ts';

/** The interval of checks for due times; short, since the wall clock may be set. */
const LOOK_MS = 10_000;

/** A reconciliation at certain times, beside those that the age of the data requires. */
export interface Schedule {
  /** Name of the tier. */
  resource: string;
  /** The pattern as the user wrote it. */
  pattern: string;
  cron: Cron;
  /** null: that of the mirrored account. */
  zone: string | null;
}

/** Returns the scheduled scans, each with its next time. */
export function scheduled(schedules: readonly Schedule[], accountZone: string, nowMs: number) {
  return schedules.map(({ resource, pattern, cron, zone }) => {
    const own = zone ?? accountZone;
    const at = nextRun(cron, own, nowMs);
    return {
      resource,
      cron: pattern,
      zone: own,
      next_run: at === undefined ? null : (instantOf(at) satisfies Instant),
    };
  });
}

interface Timetable {
  schedules: readonly Schedule[];
  clock: Clock;
  /** Until when they were watched before (epoch milliseconds). */
  watchedUntil: number;
  zone(): string;
  signal: AbortSignal;
  /** Called for each tier whose time has come. */
  onDue(resource: string): void;
}

/**
 * Reports, within seconds, that the time of a schedule has come. Of the times that pass between a clean stop and the
 * next start, one is made up for; after any other stop everything is read.
 */
export async function keepTimetable({ schedules, clock, watchedUntil, zone, signal, onDue }: Timetable): Promise<void> {
  if (schedules.length === 0) return;
  let looked = watchedUntil;
  while (!signal.aborted) {
    await sleep(clock, LOOK_MS, signal);
    const now = clock.now();
    for (const { resource, cron, zone: own } of schedules) {
      const at = nextRun(cron, own ?? zone(), looked);
      if (at !== undefined && at <= now && !signal.aborted) onDue(resource);
    }
    looked = now;
  }
}
