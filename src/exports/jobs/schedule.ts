import { instantOf, type Instant } from '../../kernel/dates.ts';
import { UsageError } from '../../kernel/errors.ts';
import { Worker } from '../../kernel/worker.ts';
import { readFact } from '../../sync/tables/connection/facts.ts';
import { type Cron, nextRun, readCron } from '../../sync/scans/reconcile/cron.ts';
import { chosenConnection, usualConnection, zoneOf } from '../accounts/account.ts';
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

/** A schedule with its time zone. */
interface Plan {
  readonly cron: Cron;
  readonly zone: string;
  /** The scheduled time that has come. */
  readonly dueAt: Instant;
}

/**
 * Checks the schedule of every job.
 * @throws UsageError that names the key of a job that cannot run
 */
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

/** Returns the next scheduled run of a job. A time that has passed is still due. */
export function nextRunOf({ schedule }: Job, zone: string, row: JobRow | undefined, nowMs: number): Instant | null {
  if (schedule === null) return null;
  if (row?.due_at && row.pattern === schedule && row.zone === zone) return row.due_at;
  return instantAfter(cronOf(schedule), zone, nowMs);
}

/** Returns the first time of a schedule after a moment. */
export function instantAfter(cron: Cron, zone: string, afterMs: number): Instant | null {
  const next = nextRun(cron, zone, afterMs);
  return next === undefined ? null : instantOf(next);
}

/**
 * Runs jobs at their times in the operator's zone, once for each time, each job by a worker of its own. After a
 * downtime, one run for the last missed time replaces all missed runs. Looks every minute, and stores its state in
 * `export_jobs`.
 */
export function jobWorkers(ports: ExportPorts, run: (order: DueOrder) => Promise<void>): Worker[] {
  const { clock, log } = ports;
  const untilNextMinute = () => MINUTE_MS - (clock.now() % MINUTE_MS);
  return allJobs(ports)
    .filter((job) => job.schedule !== null)
    .map(
      (job) =>
        new Worker({
          clock,
          log,
          name: 'a scheduled export',
          fields: { job: job.name },
          everyMs: MINUTE_MS,
          async round() {
            const order = await findDue(ports, job);
            if (order) await run(order);
            return untilNextMinute();
          },
        }),
    );
}

/** Returns the order of a job that is due now. A new or changed schedule begins now. */
async function findDue(ports: ExportPorts, job: Job): Promise<DueOrder | undefined> {
  const { store, clock } = ports;
  const { schedule: pattern } = job;
  if (pattern === null) return undefined;
  const connection = await chosenConnection(store.db, job.connection ?? (await usualConnection(store.db)));
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
 * Returns the reason why a job that delivers only new entries waits, or null. A restored mirror does not know the
 * deliveries that followed its backup.
 */
async function armingOf({ store }: ExportPorts, { mode }: Job, connection: string): Promise<string | null> {
  if (mode === 'full') return null;
  const disarmed = await readFact(store.db, connection, 'automations_disarmed');
  return disarmed ? `waits until automations are armed: ${disarmed.value}` : null;
}

/** Checks that the mirror has read the changes that it missed during a stop. Earlier books would be wrong. */
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
