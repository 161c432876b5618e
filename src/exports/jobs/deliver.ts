import { instantOf } from '../../kernel/dates.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { next } from '../../kernel/transitions.ts';
import type { HeldJob } from './holdJob.ts';
import type { Job } from './jobs.ts';
import { placeFiles, type NamedFile } from '../place.ts';
import type { ExportPorts, SentResult } from '../ports.ts';
import { dropDeliveries, type RunRow, runsIn, updateRun } from './runTable.ts';
import { onTheirWay, runLife } from './states.ts';
import { sendFiles } from './sendFiles.ts';

/** The files that a run has written, as `export_runs.manifest` stores them. */
export interface Prepared {
  readonly folder: string;
  readonly files: readonly (NamedFile & { bytes: number })[];
  /** Number of files that the address has accepted. */
  readonly sent: number;
}

/** The outcome of a delivery. */
interface Delivered {
  readonly state: RunRow['state'];
  /** The failure, or null if the delivery succeeded. */
  readonly problem: string | null;
}

interface Work {
  readonly job: Job;
  readonly held: HeldJob;
}

/** Places the files in their folder. If the job has an address, sends it the files that it has not accepted yet. */
export async function deliver(ports: ExportPorts, row: RunRow, { job, held }: Work): Promise<Delivered> {
  const { db } = ports.store;
  await held.require();
  const prepared = JSON.parse(row.manifest ?? '{}') as Prepared;
  const result = await carry(ports, row, { job, held, prepared });
  const arrived = row.target === prepared.folder ? 'deliver' : 'be_taken';
  const trigger = { delivered: arrived, refused: 'be_refused', unknown: 'doubt' } as const;
  const outcome: Delivered = {
    state: next(runLife, row.state, trigger[result.state]),
    problem: result.detail === '' ? null : result.detail,
  };
  await updateRun(db, row, { ...outcome, finished_at: instantOf(ports.clock.now()) });
  if (outcome.state === 'failed') await dropDeliveries(ports.store, row);
  return outcome;
}

async function carry(
  ports: ExportPorts,
  row: RunRow,
  { job, held, prepared }: Work & { prepared: Prepared },
): Promise<SentResult> {
  const { folder, files } = prepared;
  const missing = await placeFiles(folder, files);
  if (missing.length > 0) {
    const detail = `${missing.slice(0, MOST_NAMES).join(', ')} is gone from ${folder}`;
    return { state: 'refused', detail };
  }
  if (row.target === folder) return { state: 'delivered', detail: '' };
  if (job.url !== row.target || job.secret === null) {
    return { state: 'refused', detail: `${job.name} does not go there any more` };
  }
  return sendFiles(ports, {
    url: job.url,
    secret: job.secret,
    folder,
    files,
    batch: row.batch ?? row.run_id,
    sent: prepared.sent,
    async onSent(sent) {
      await updateRun(ports.store.db, row, { manifest: JSON.stringify({ ...prepared, sent }) });
      await held.require();
    },
  });
}

const MOST_NAMES = 5;

/**
 * Finishes runs of a job that a crash or the receiver cut off. Written files are delivered under the same ids; a run
 * that had not written its files fails.
 * @returns the runs that it has delivered
 * @throws OperatorError if the arrival of a delivery is still unknown; nothing new may be delivered until then
 */
export async function finishEarlier(
  ports: ExportPorts,
  connection: string,
  work: Work,
): Promise<{ run_id: string; state: RunRow['state']; entries: number }[]> {
  const { store, clock } = ports;
  const finished = [];
  for (const row of await runsIn(store.db, connection, work.job.name, ['running', ...onTheirWay])) {
    if (row.state === 'running') {
      const finished_at = instantOf(clock.now());
      await updateRun(store.db, row, {
        state: next(runLife, row.state, 'fail'),
        finished_at,
        problem: 'it was cut off',
      });
      await dropDeliveries(store, row);
      continue;
    }
    // The crash may have come while a file was on its way.
    const isOnItsWay = row.target !== (JSON.parse(row.manifest ?? '{}') as Prepared).folder;
    const { state, problem } = await deliver(ports, isOnItsWay ? { ...row, state: 'unknown' } : row, work);
    if (state === 'unknown') throw notThrough(row, problem);
    finished.push({ run_id: row.run_id, state, entries: row.entries });
  }
  return finished;
}

function notThrough({ run_id, job }: RunRow, problem: string | null): OperatorError {
  return new OperatorError(
    `run ${run_id} of ${job} may have arrived in part: ${problem}`,
    `the next run sends what is left of it, under the same ids. Where it has arrived, say ./stayd export ack ${run_id}; where it was thrown away, the same with --failed`,
  );
}
