import { instantOf, msOf } from '../kernel/dates.ts';
import { messageOf, OperatorError } from '../kernel/errors.ts';
import { chosenConnection, todayOf } from './account.ts';
import { daysOf, folderOf, getJob, type Job } from './jobs.ts';
import { placeFiles, removeDrafts } from './place.ts';
import { requireUnchangedSoftPeriods } from './periods.ts';
import type { ExportPorts } from './ports.ts';
import type { BooksReport, Order, WriteResult } from './run/order.ts';
import { dropDeliveries, findRun, insertRun, rememberDeliveries, type RunRow, runsIn, updateRun } from './runTable.ts';
import { sendFiles } from './sendFiles.ts';

export interface RunOrder {
  readonly job: string;
  readonly connection?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** A folder in place of that of the job. */
  readonly out?: string | undefined;
  /** Why months that are soft-closed may have changed. */
  readonly override?: string | undefined;
  /** Given where several processes may want the same run: the first has it. */
  readonly runId?: string | undefined;
}

export interface RunReport {
  readonly run_id: string;
  readonly job: string;
  readonly connection: string;
  readonly state: RunRow['state'];
  readonly batch: string | null;
  readonly target: string;
  readonly files: readonly { name: string; bytes: number; sha256: string }[];
  readonly report: BooksReport;
  /** Nothing new was there to be handed on, and nothing was written. */
  readonly nothing: boolean;
}

export type OnProgress = (state: { groups: number; entries: number }) => void;

/** On PostgreSQL another process may be at work on a job; for longer than this it is not. */
const LONGEST_RUN_MS = 3_600_000;

/** Runs a job: books, writes, hands on. One that a crash has cut off is brought to its end first. */
export async function runJob(
  ports: ExportPorts,
  order: RunOrder,
  { onProgress, signal }: { onProgress: OnProgress; signal: AbortSignal },
): Promise<RunReport> {
  const { db } = ports.store;
  const job = getJob(ports, order.job);
  const connection = await chosenConnection(db, order.connection ?? job.connection);
  await requireRead(ports, connection);
  if (order.runId !== undefined && (await findRun(db, connection, order.runId))) {
    throw new OperatorError(`run ${order.runId} of ${job.name} has begun elsewhere`);
  }
  await finishEarlier(ports, connection, job);
  const days = daysOf(job, order, await todayOf(ports, connection));
  const folder = folderOf(job, ports, order.out);
  const target = job.url !== null && order.out === undefined ? job.url : folder;
  const row = newRun(ports, { connection, job, days, target, runId: order.runId });
  await insertRun(db, row);
  try {
    const work = await orderOf(ports, { connection, job, folder }, days);
    const result = await ports.carryOut(
      work,
      {
        onProgress,
        onReport: (report) => requireUnchangedSoftPeriods(ports, { connection, report, reason: order.override }),
        onEntries: (entries) => rememberDeliveries(ports.store, row, entries),
      },
      signal,
    );
    if (result.kind !== 'written') throw new Error('the books were not written');
    return await handOn(ports, { job, row, folder }, result);
  } catch (error) {
    await dropDeliveries(db, connection, row.run_id);
    const finished_at = instantOf(ports.clock.now());
    await updateRun(db, row, { state: 'failed', finished_at, problem: messageOf(error) });
    throw error;
  }
}

/** Before everything was read once, books would only be wrong. */
export async function requireRead({ store }: ExportPorts, connection: string): Promise<void> {
  const row = await store.db
    .selectFrom('connections')
    .select('caught_up_at')
    .where('connection', '=', connection)
    .executeTakeFirst();
  if (row?.caught_up_at) return;
  throw new OperatorError(
    `the mirror of ${connection} has not read everything yet`,
    'let it finish: ./stayd status tells how far it is',
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
    state: 'running',
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

/** The batches that were handed on, the newest first; the manifest names the newest that is another one. */
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

/** From here on the entries count as handed on, whatever happens: what is cut off now is finished by the next run. */
async function handOn(
  ports: ExportPorts,
  { job, row, folder }: { job: Job; row: RunRow; folder: string },
  result: WriteResult,
): Promise<RunReport> {
  const { db } = ports.store;
  const files = result.files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 }));
  const { report, batch } = result;
  const told = { run_id: row.run_id, job: job.name, connection: row.connection, target: row.target, report };
  if (job.mode === 'incremental' && report.entries === 0) {
    removeDrafts(folder, files);
    await db
      .deleteFrom('export_runs')
      .where('connection', '=', row.connection)
      .where('run_id', '=', row.run_id)
      .execute();
    return { ...told, batch: null, state: 'acknowledged', files: [], nothing: true };
  }
  await updateRun(db, row, {
    state: 'prepared',
    batch,
    entries: report.entries,
    manifest: JSON.stringify({ folder, files }),
    manifest_hash: result.manifestHash,
  });
  const state = await deliver(ports, { ...row, batch }, { folder, files, job });
  return { ...told, batch, state, files, nothing: false };
}

interface Prepared {
  folder: string;
  files: readonly { name: string; bytes: number; sha256: string }[];
}

/** Puts the files where they belong and, where there is an address, sends them. */
async function deliver(
  ports: ExportPorts,
  row: RunRow,
  { folder, files, job }: Prepared & { job: Job },
): Promise<RunRow['state']> {
  const { db } = ports.store;
  const missing = placeFiles(folder, files);
  const finished_at = () => instantOf(ports.clock.now());
  if (missing.length > 0) {
    await dropDeliveries(db, row.connection, row.run_id);
    const problem = `${missing.join(', ')} is gone from ${folder}`;
    await updateRun(db, row, { state: 'failed', finished_at: finished_at(), problem });
    return 'failed';
  }
  if (row.target === folder || job.url === null || job.secret === null) {
    await updateRun(db, row, { state: 'delivered', finished_at: finished_at() });
    return 'delivered';
  }
  const sent = await sendFiles(ports, {
    url: job.url,
    secret: job.secret,
    folder,
    files,
    batch: row.batch ?? row.run_id,
  });
  const state = sent.state === 'delivered' ? 'acknowledged' : sent.state === 'refused' ? 'failed' : 'unknown';
  if (state === 'failed') await dropDeliveries(db, row.connection, row.run_id);
  await updateRun(db, row, { state, finished_at: finished_at(), problem: sent.detail || null });
  return state;
}

/** What a crash has left of the job: what was prepared is handed on, what was not is forgotten. */
async function finishEarlier(ports: ExportPorts, connection: string, job: Job): Promise<void> {
  const { store, clock } = ports;
  for (const row of await runsIn(store.db, connection, job.name, ['running', 'prepared', 'unknown'])) {
    if (row.state === 'running') {
      if (store.kind === 'postgres' && clock.now() - msOf(row.started_at) < LONGEST_RUN_MS) {
        throw new OperatorError(`${job.name} is being run already, since ${row.started_at}`, 'wait until it is done');
      }
      await dropDeliveries(store.db, connection, row.run_id);
      const finished_at = instantOf(clock.now());
      await updateRun(store.db, row, { state: 'failed', finished_at, problem: 'it was cut off' });
    } else if (row.state === 'prepared') {
      await deliver(ports, row, { ...(JSON.parse(row.manifest ?? '{}') as Prepared), job });
    } else if (row.mode === 'incremental') {
      throw new OperatorError(
        `run ${row.run_id} of ${job.name} may have arrived: ${row.problem}`,
        `look there, then say ./stayd export ack ${row.run_id}, or the same with --failed`,
      );
    }
  }
}
