import { createHash } from 'node:crypto';
import { createTask, type ScheduledTask, validate } from 'node-cron';
import { dateIn, type Instant, instantOf } from '../kernel/dates.ts';
import { UsageError } from '../kernel/errors.ts';
import { firstIdAt } from '../kernel/ids.ts';
import { messageOf } from '../kernel/errors.ts';
import { chosenConnection, zoneOf } from './account.ts';
import { allJobs, getJob, type Job } from './jobs.ts';
import type { ExportPorts } from './ports.ts';

const MINUTE_MS = 60_000;
/** After a pause of the machine no more of the past than this is looked at. */
const MOST_MINUTES = 60;

/** @throws UsageError for a job that could not be run, naming its key */
export function checkJobs(ports: Pick<ExportPorts, 'jobs'>): void {
  for (const { name } of allJobs(ports)) {
    const { schedule } = getJob(ports, name);
    if (schedule === null || (schedule.trim().split(/\s+/).length === 5 && validate(schedule))) continue;
    throw new UsageError(
      `exports.jobs.${name}.schedule: "${schedule}" is no schedule`,
      'five fields: minute, hour, day, month, weekday; 0 6 3 * * is at six on the third of each month',
    );
  }
}

/** When a job is next run by itself. */
export function nextRunOf({ schedule }: Job, zone: string): Instant | null {
  if (schedule === null) return null;
  const task = taskOf(schedule, zone);
  try {
    const [next] = task.getNextRuns(1);
    return next ? instantOf(next.getTime()) : null;
  } finally {
    void task.destroy();
  }
}

/** Only asked when it would run, never started: time is that of our own clock. */
function taskOf(schedule: string, timezone: string): ScheduledTask {
  return createTask(schedule, () => {}, { timezone });
}

/** Whether a job is to be run in the minute that begins then. */
export function isDue(schedule: string, zone: string, minuteMs: number): boolean {
  const task = taskOf(schedule, zone);
  try {
    return task.match(new Date(minuteMs));
  } finally {
    void task.destroy();
  }
}

/**
 * Runs jobs at their times, in the operator's zone. Of several processes one runs a job: its run has the same id in
 * all of them, and the second cannot begin it.
 */
export function scheduleJobs(
  ports: ExportPorts,
  run: (order: { job: string; runId: string }) => Promise<unknown>,
): { stop(): void } {
  const { clock, log } = ports;
  const jobs = allJobs(ports).filter((job) => job.schedule !== null);
  let seen = minuteOf(clock.now());
  let timer = jobs.length > 0 ? next() : undefined;

  function next() {
    return clock.setTimer(MINUTE_MS - (clock.now() % MINUTE_MS), () => {
      const now = minuteOf(clock.now());
      const first = Math.max(seen + 1, now - MOST_MINUTES + 1);
      for (let minute = first; minute <= now; minute += 1) void runDue(minute * MINUTE_MS);
      seen = Math.max(seen, now);
      timer = next();
    });
  }

  async function runDue(minuteMs: number): Promise<void> {
    for (const job of jobs) {
      try {
        const zone = await zoneOf(ports.store.db, await chosenConnection(ports.store.db, job.connection));
        if (!isDue(job.schedule ?? '', zone, minuteMs)) continue;
        log.info({ job: job.name, date: dateIn(zone, minuteMs) }, 'a scheduled export begins');
        await run({ job: job.name, runId: scheduledId(job.name, minuteMs) });
      } catch (error) {
        log.error({ job: job.name, problem: messageOf(error) }, 'a scheduled export failed');
      }
    }
  }

  return { stop: () => timer?.cancel() };
}

function minuteOf(ms: number): number {
  return Math.floor(ms / MINUTE_MS);
}

/** The same in every process. */
function scheduledId(job: string, minuteMs: number): string {
  return firstIdAt(minuteMs) + createHash('sha256').update(job).digest('hex').slice(0, 16).toUpperCase();
}
