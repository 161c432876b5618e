import { instantOf, type Instant } from '../../kernel/dates.ts';
import { messageOf, UsageError } from '../../kernel/errors.ts';
import { readFact } from '../../sync/tables/connection/facts.ts';
import { type Cron, nextRun, readCron } from '../../sync/scans/reconcile/cron.ts';
import { chosenConnection, zoneOf } from '../accounts/account.ts';
import { allJobs, getJob, type Job } from './jobs.ts';
import { findJobRow, type JobRow, makeJobRow, updateJobRow } from './jobTable.ts';
import type { ExportPorts } from '../ports.ts';

const MINUTE_MS = 60_000;

/** A job whose time has come. */
export interface DueOrder {
  readonly job: Job;
  readonly connection: string;
  readonly plan: Plan;
}

/** A schedule in the zone that it is meant in. */
export interface Plan {
  readonly cron: Cron;
  readonly zone: string;
  /** The time that has come. */
  readonly dueAt: Instant;
}

export interface Schedule {
  /** Nothing more is begun. */
  stop(): void;
  /** Resolves when nothing that it has begun is under way. */
  settled(): Promise<void>;
}

/** @throws UsageError for a job that could not be run, naming its key */
export function checkJobs(ports: Pick<ExportPorts, 'jobs'>): void {
  for (const { name } of allJobs(ports)) {
    const { schedule } = getJob(ports, name);
    const read = schedule === null ? undefined : readCron(schedule);
    if (!read || !('problem' in read)) continue;
    throw new UsageError(
      `exports.jobs.${name}.schedule: "${schedule}" ${read.problem}`,
      'five fields: minute, hour, day, month, weekday; 0 6 3 * * is at six on the third of each month',
    );
  }
}

/** When a job is next run by itself: a time that has passed is still to be done. */
export function nextRunOf({ schedule }: Job, zone: string, row: JobRow | undefined, nowMs: number): Instant | null {
  if (schedule === null) return null;
  if (row?.due_at && row.pattern === schedule && row.zone === zone) return row.due_at;
  return instantAfter(cronOf(schedule), zone, nowMs);
}

/** The first time of a schedule after a moment. */
export function instantAfter(cron: Cron, zone: string, afterMs: number): Instant | null {
  const next = nextRun(cron, zone, afterMs);
  return next === undefined ? null : instantOf(next);
}

/**
 * Runs jobs at their times, in the operator's zone, each time once: what came due while nothing ran is made up for, by
 * one run for the last time that was missed. Looks every minute; what it knows stands in `export_jobs`.
 */
export function scheduleJobs(ports: ExportPorts, run: (order: DueOrder) => Promise<void>): Schedule {
  const { clock, log } = ports;
  const jobs = allJobs(ports).filter((job) => job.schedule !== null);
  const busy = new Map<string, Promise<void>>();
  let timer = jobs.length > 0 ? clock.setTimer(0, look) : undefined;

  function look(): void {
    timer = clock.setTimer(MINUTE_MS - (clock.now() % MINUTE_MS), look);
    for (const job of jobs) {
      if (busy.has(job.name)) continue;
      const done = runIfDue(job).finally(() => busy.delete(job.name));
      busy.set(job.name, done);
    }
  }

  async function runIfDue(job: Job): Promise<void> {
    try {
      const order = await findDue(ports, job);
      if (order) await run(order);
    } catch (error) {
      log.error({ job: job.name, problem: messageOf(error) }, 'a scheduled export cannot be made');
    }
  }

  return {
    stop: () => timer?.cancel(),
    async settled() {
      await Promise.all(busy.values());
    },
  };
}

/** What is to be done of a job now; a schedule that is new, or another one, begins now. */
async function findDue(ports: ExportPorts, job: Job): Promise<DueOrder | undefined> {
  const { store, clock } = ports;
  const { schedule: pattern } = job;
  if (pattern === null) return undefined;
  const connection = await chosenConnection(store.db, job.connection);
  const zone = await zoneOf(store.db, connection);
  const cron = cronOf(pattern);
  const key = { connection, job: job.name };
  const now = clock.now();
  const row = await findJobRow(store.db, key);
  if (row?.pattern !== pattern || row.zone !== zone) {
    await makeJobRow(store.db, key);
    const due_at = instantAfter(cron, zone, now);
    await updateJobRow(store.db, key, { pattern, zone, due_at, run_id: null, attempts: 0, retry_at: null });
    return undefined;
  }
  const at = instantOf(now);
  const { due_at: dueAt, retry_at } = row;
  if (dueAt === null || dueAt > at || (retry_at !== null && retry_at > at)) return undefined;
  if (!(await hasCaughtUp(ports, connection))) return undefined;
  const waitsFor = await armingOf(ports, job, connection);
  if (waitsFor !== null) {
    if (row.problem !== waitsFor) await updateJobRow(store.db, key, { problem: waitsFor });
    return undefined;
  }
  return { job, connection, plan: { cron, zone, dueAt } };
}

/**
 * What a job that delivers only what is new waits for; null: nothing. A restored mirror does not know what was delivered
 * after its backup.
 */
async function armingOf({ store }: ExportPorts, { mode }: Job, connection: string): Promise<string | null> {
  if (mode === 'full') return null;
  const disarmed = await readFact(store.db, connection, 'automations_disarmed');
  return disarmed ? `waits until automations are armed: ${disarmed.value}` : null;
}

/** After a stop the mirror reads what it has missed; books of before would be wrong. */
async function hasCaughtUp({ store }: ExportPorts, connection: string): Promise<boolean> {
  const row = await store.db
    .selectFrom('connections')
    .select(['caught_up_at', 'catch_up_due'])
    .where('connection', '=', connection)
    .executeTakeFirst();
  return row !== undefined && row.caught_up_at !== null && row.catch_up_due === null;
}

function cronOf(pattern: string): Cron {
  const cron = readCron(pattern);
  if ('problem' in cron) throw new UsageError(`"${pattern}" ${cron.problem}`);
  return cron;
}
