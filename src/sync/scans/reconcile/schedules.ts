import { type Clock, sleep } from '../../../kernel/clock.ts';
import { type Instant, instantOf } from '../../../kernel/dates.ts';
import { type Cron, nextRun } from './cron.ts';

/** So often is looked whether a time has come: the wall clock may be set. */
const LOOK_MS = 10_000;

/** A reconciliation that somebody wants at certain times, beside what the age of the data asks for. */
export interface Schedule {
  /** Name of the tier. */
  resource: string;
  /** As it was written. */
  pattern: string;
  cron: Cron;
  /** null: that of the mirrored account. */
  zone: string | null;
}

/** What is scanned by the clock, and when next. */
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

export interface Timetable {
  schedules: readonly Schedule[];
  clock: Clock;
  zone(): string;
  signal: AbortSignal;
  /** Told of each tier whose time has come. */
  onDue(resource: string): void;
}

/** Tells, within seconds, when the time of a schedule has come. Times that pass while nobody looks are not made up for. */
export async function keepTimetable({ schedules, clock, zone, signal, onDue }: Timetable): Promise<void> {
  if (schedules.length === 0) return;
  let looked = clock.now();
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
