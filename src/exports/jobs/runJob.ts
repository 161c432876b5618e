import { noTracer } from '../../kernel/tracing/tracer.ts';
import { instantOf } from '../../kernel/dates.ts';
import { messageOf, OperatorError, UsageError } from '../../kernel/errors.ts';
import { mayGo, next } from '../../kernel/transitions.ts';
import { runLife } from './states.ts';
import { chosenConnection, todayOf } from '../accounts/account.ts';
import { meantFor } from './meantFor.ts';
import { daysOf, folderOf, getJob, type Job } from './jobs.ts';
import { finishEarlier, deliver, type Prepared } from './deliver.ts';
import { type HeldJob, holdJob } from './holdJob.ts';
import { removeDrafts } from '../place.ts';
import { requireUnchangedSoftPeriods } from '../periods/periods.ts';
import type { ExportPorts } from '../ports.ts';
import type { BooksReport, Order, Progress, WriteResult } from '../run/order.ts';
import {
  deleteRun,
  dropDeliveries,
  findAcknowledged,
  findRun,
  insertRun,
  rememberDeliveries,
  type RunRow,
  runsIn,
  updateRun,
} from './runTable.ts';

/** A request for one run of a job. */
export interface RunOrder {
  readonly job: string;
  readonly connection?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Folder that replaces the folder of the job. */
  readonly out?: string | undefined;
  /** The operator's reason why soft-closed months may have changed. */
  readonly override?: string | undefined;
  /** The operator's date from which the days of the job are counted. Default: today. */
  readonly asOf?: string | undefined;
  /** Id of the run. Default: a new id. */
  readonly runId?: string | undefined;
}

/** The result of a run. */
interface RunReport {
  readonly run_id: string;
  readonly job: string;
  readonly connection: string;
  readonly state: RunRow['state'];
  readonly batch: string | null;
  readonly target: string;
  readonly files: readonly { name: string; bytes: number; sha256: string }[];
  readonly report: BooksReport;
  /** True if there was nothing new to deliver; no file was written then. */
  readonly nothing: boolean;
  /** The failure, or null if there was none. */
  readonly problem: string | null;
  /** Earlier runs that had been cut off and are delivered now. */
  readonly finished: readonly { run_id: string; state: RunRow['state']; entries: number }[];
}

/** Receives the progress of a run. */
export type OnProgress = (state: Progress) => void;

/** The ways in which a caller observes and stops a run. */
export interface Follow {
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal;
}

/** Runs a job: books, writes and delivers. Finishes a run that a crash cut off first. */
export async function runJob(ports: ExportPorts, order: RunOrder, follow: Follow): Promise<RunReport> {
  const job = getJob(ports, order.job);
  const connection = await chosenConnection(ports.store.db, order.connection ?? job.connection);
  const meant = await meantFor(ports.store.db, job);
  if (meant !== null && connection !== meant) throw notOf(job.name, connection);
  return holdJob(ports, { connection, job: job.name }, (held) =>
    runHeld(ports, order, { job, connection, held, follow }),
  );
}

/** The target of a job receives the books of the account that it was set up for, and no others. */
function notOf(job: string, connection: string): UsageError {
  return new UsageError(
    `job: ${job} is for the books of another connection than ${connection}`,
    'set up a job of its own: exports.jobs in the settings',
  );
}

/** Runs a job that this process holds already; otherwise like {@link runJob}. */
export async function runHeld(
  ports: ExportPorts,
  order: RunOrder,
  run: { job: Job; connection: string; held: HeldJob; follow: Follow },
): Promise<RunReport> {
  const { tracer = noTracer } = ports;
  const { name, format } = run.job;
  const attributes = { 'stayd.connection': run.connection, 'stayd.job': name, 'stayd.format': format };
  return tracer.run('export', { kind: 'internal', parent: null, attributes }, () => carryOutRun(ports, order, run));
}

async function carryOutRun(
  ports: ExportPorts,
  order: RunOrder,
  { job, connection, held, follow }: { job: Job; connection: string; held: HeldJob; follow: Follow },
): Promise<RunReport> {
  const { db } = ports.store;
  await requireRead(ports, connection);
  const finished = await finishEarlier(ports, connection, { job, held });
  const days = daysOf(job, order, order.asOf ?? (await todayOf(ports, connection)));
  const folder = folderOf(job, ports, order.out);
  const target = job.url !== null && order.out === undefined ? job.url : folder;
  const row = newRun(ports, { connection, job, days, target, runId: order.runId });
  await insertRun(db, row);
  try {
    const work = await orderOf(ports, { connection, job, folder }, days);
    const result = await ports.carryOut(
      work,
      {
        onProgress: follow.onProgress,
        onReport: (report) => requireUnchangedSoftPeriods(ports, { connection, report, reason: order.override }),
        async onEntries(entries) {
          await held.require();
          await rememberDeliveries(ports.store, row, entries);
        },
      },
      follow.signal,
    );
    if (result.kind !== 'written') throw new Error('the books were not written');
    return await writtenDown(ports, { job, row, folder, held, finished }, result);
  } catch (error) {
    await giveUp(ports, row, messageOf(error));
    throw error;
  }
}

interface Running {
  readonly job: Job;
  readonly row: RunRow;
  readonly folder: string;
  readonly held: HeldJob;
  readonly finished: RunReport['finished'];
}

/** Marks a run as failed. A prepared run stays: it may have arrived, and the next run finishes it. */
async function giveUp({ store, clock }: ExportPorts, row: RunRow, problem: string): Promise<void> {
  const now = await findRun(store.db, row.connection, row.run_id);
  if (!now || !mayGo(runLife, now.state, 'fail')) return;
  const state = next(runLife, now.state, 'fail');
  await updateRun(store.db, row, { state, finished_at: instantOf(clock.now()), problem });
  await dropDeliveries(store, row);
}

/** Checks that the mirror has read everything once. Books made earlier would be wrong. */
export async function requireRead({ store }: ExportPorts, connection: string): Promise<void> {
  const row = await store.db
    .selectFrom('connections')
    .select('caught_up_at')
    .where('connection', '=', connection)
    .executeTakeFirst();
  if (row?.caught_up_at) return;
  throw new OperatorError(
    `the mirror of ${connection} has not read everything yet`,
    'let it finish: ./stayd status shows its progress',
  );
}

function newRun(
  { clock, ids }: ExportPorts,
  run: { connection: string; job: Job; days: { from: string; to: string }; target: string; runId: string | undefined },
): RunRow {
  const { connection, job, days, target, runId } = run;
  return {
    connection,
    run_id: runId ?? ids(),
    job: job.name,
    mode: job.mode,
    from_date: days.from,
    to_date: days.to,
    state: next(runLife, null, 'begin'),
    batch: null,
    target,
    started_at: instantOf(clock.now()),
    finished_at: null,
    entries: 0,
    manifest: null,
    manifest_hash: null,
    problem: null,
  };
}

async function orderOf(
  ports: ExportPorts,
  { connection, job, folder }: { connection: string; job: Job; folder: string },
  { from, to }: { from: string; to: string },
): Promise<Order> {
  const { location, clock } = ports;
  const { format, mode, corrections, options } = job;
  const common = { location, connection, settings: ports.bookOf(connection), now: clock.now(), from, to };
  const previous = await previousOf(ports, connection, job.name);
  return { ...common, kind: 'write', job: job.name, mode, corrections, format, options, folder, previous };
}

const HANDED_ON = ['prepared', 'delivered', 'acknowledged', 'unknown'] as const;

/** Returns the delivered batches, newest first. The manifest names the newest batch with another name. */
async function previousOf(
  { store }: ExportPorts,
  connection: string,
  job: string,
): Promise<{ batch: string; hash: string }[]> {
  const runs = await runsIn(store.db, connection, job, HANDED_ON);
  return runs
    .toReversed()
    .flatMap(({ batch, manifest_hash: hash }) => (batch !== null && hash !== null ? [{ batch, hash }] : []))
    .slice(0, 2);
}

/**
 * Records the entries and files of a run. From here on the entries count as delivered; if the run is cut off, the next
 * run finishes it.
 */
async function writtenDown(
  ports: ExportPorts,
  { job, row, folder, held, finished }: Running,
  result: WriteResult,
): Promise<RunReport> {
  const { db } = ports.store;
  const files = result.files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }));
  const { report, batch } = result;
  const { run_id, connection, target } = row;
  const summary = { run_id, job: job.name, connection, target, report, batch, finished, problem: null };
  const isEmpty = job.mode === 'incremental' && report.entries === 0;
  // An address that has acknowledged exactly this content does not get it again.
  if (isEmpty || (target !== folder && (await findAcknowledged(db, { ...row, batch })))) {
    await removeDrafts(folder, files);
    await deleteRun(db, row);
    return { ...summary, batch: isEmpty ? null : batch, state: 'acknowledged', files: [], nothing: true };
  }
  await held.require();
  const prepared: Partial<RunRow> = {
    state: next(runLife, row.state, 'prepare'),
    batch,
    entries: report.entries,
    manifest: JSON.stringify({ folder, files, sent: 0 } satisfies Prepared),
    manifest_hash: result.manifestHash,
  };
  await updateRun(db, row, prepared);
  const outcome = await deliver(ports, { ...row, ...prepared }, { job, held });
  return { ...summary, ...outcome, files, nothing: false };
}
