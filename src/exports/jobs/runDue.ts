import { dateIn, instantOf, msOf } from '../../kernel/dates.ts';
import { messageOf } from '../../kernel/errors.ts';
import { lastRun } from '../../sync/scans/reconcile/cron.ts';
import { finishEarlier } from './deliver.ts';
import { type HeldJob, holdJob } from './holdJob.ts';
import { findJobRow, type JobRow, updateJobRow } from './jobTable.ts';
import type { ExportPorts } from '../ports.ts';
import { type Follow, runHeld } from './runJob.ts';
import { findRun, type RunRow } from './runTable.ts';
import { onTheirWay } from './states.ts';
import { type DueOrder, instantAfter } from './schedule.ts';

/** Minutes before each retry of a failed run. After the last one, the job waits for its next scheduled time. */
const RETRY_MINUTES = [1, 5, 15, 60, 180] as const;
const MINUTE_MS = 60_000;
const DONE: ReadonlySet<RunRow['state']> = new Set(['delivered', 'acknowledged']);

/**
 * Runs a job whose time has come, unless another process has run it. Records the failure of a run and does not throw
 * it.
 */
export async function runDue(ports: ExportPorts, order: DueOrder, follow: Follow): Promise<void> {
  const { connection, plan } = order;
  const key = { connection, job: order.job.name };
  await holdJob(ports, key, async (held) => {
    const row = await findJobRow(ports.store.db, key);
    if (row?.due_at !== plan.dueAt) return;
    const problem = await made(ports, order, { row, held, follow });
    // A run that stopped with the service continues at the next start.
    if (problem !== null && follow.signal.aborted) return;
    if (problem === null) await done(ports, order, null);
    else await failed(ports, order, { ...row, attempts: await attemptsOf(ports, key) }, problem);
  });
}

/**
 * Runs a job for the newest time that has passed.
 * @returns the failure, or null once that run is delivered
 */
async function made(
  ports: ExportPorts,
  { job, connection, plan }: DueOrder,
  { row, held, follow }: { row: JobRow; held: HeldJob; follow: Follow },
): Promise<string | null> {
  const { store, clock, log } = ports;
  const { cron, zone } = plan;
  const due = msOf(plan.dueAt);
  const last = lastRun(cron, zone, [due, clock.now()]) ?? due;
  try {
    // A run that was cut off continues; no second run is made for the same time.
    const begun = last === due && row.run_id !== null ? await findRun(store.db, connection, row.run_id) : undefined;
    if (begun && DONE.has(begun.state)) return null;
    if (begun && onTheirWay.includes(begun.state)) {
      const finished = await finishEarlier(ports, connection, { job, held });
      const own = finished.find((one) => one.run_id === begun.run_id);
      if (own && DONE.has(own.state)) return null;
    }
    const runId = ports.ids();
    const isLater = last !== due ? { attempts: 0 } : {};
    const due_at = instantOf(last);
    await updateJobRow(store.db, { connection, job: job.name }, { run_id: runId, due_at, retry_at: null, ...isLater });
    log.info({ job: job.name, due: due_at }, 'a scheduled export begins');
    const asOf = dateIn(zone, last);
    const { state, problem } = await runHeld(ports, { job: job.name, runId, asOf }, { job, connection, held, follow });
    return DONE.has(state) ? null : (problem ?? state);
  } catch (error) {
    return messageOf(error);
  }
}

async function attemptsOf({ store }: ExportPorts, key: { connection: string; job: string }): Promise<number> {
  return (await findJobRow(store.db, key))?.attempts ?? 0;
}

async function failed(ports: ExportPorts, order: DueOrder, { attempts }: JobRow, problem: string): Promise<void> {
  const { job, connection } = order;
  const minutes = RETRY_MINUTES[attempts];
  if (minutes === undefined) {
    ports.log.error(
      { job: job.name, problem },
      'a scheduled export failed, and is not tried again before its next time',
    );
    return done(ports, order, problem);
  }
  const retry_at = instantOf(ports.clock.now() + minutes * MINUTE_MS);
  ports.log.error({ job: job.name, problem, retry_at }, 'a scheduled export failed, and will be tried again');
  const set = { attempts: attempts + 1, retry_at, problem };
  await updateJobRow(ports.store.db, { connection, job: job.name }, set);
}

async function done(
  ports: ExportPorts,
  { job, connection, plan: { cron, zone } }: DueOrder,
  problem: string | null,
): Promise<void> {
  const due_at = instantAfter(cron, zone, ports.clock.now());
  const set = { due_at, run_id: null, attempts: 0, retry_at: null, problem };
  await updateJobRow(ports.store.db, { connection, job: job.name }, set);
}
