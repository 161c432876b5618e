import { instantOf } from '../../kernel/dates.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { Worker } from '../../kernel/worker.ts';
import { letGoOfJob, makeJobRow, takeJob } from './jobTable.ts';
import type { ExportPorts } from '../ports.ts';

/** Milliseconds after which a process that gives no sign of life counts as ended. */
const HELD_MS = 60_000;
const RENEW_MS = 20_000;

/** A job that this process has to itself. */
export interface HeldJob {
  /**
   * Confirms the hold; callers await it before anything leaves.
   * @throws OperatorError if this process gave no sign of life for too long
   */
  require(): Promise<void>;
}

/**
 * Does work on a job while no other process can. On SQLite no other process exists.
 * @throws OperatorError if another process works on the job
 */
export async function holdJob<T>(
  { store, clock, ids, log }: ExportPorts,
  key: { connection: string; job: string },
  work: (held: HeldJob) => Promise<T>,
): Promise<T> {
  if (store.kind === 'sqlite') return work({ require: () => Promise.resolve() });
  const by = ids();
  const take = () => {
    const now = clock.now();
    return takeJob(store.db, key, { by, now: instantOf(now), until: instantOf(now + HELD_MS) });
  };
  await makeJobRow(store.db, key);
  if (!(await take())) {
    throw new OperatorError(`${key.job} is being run already, by another process`, 'wait until it is done');
  }
  // A failure shows when the hold is needed next.
  const renewing = new Worker({
    clock,
    log,
    name: 'renewing the hold on an export',
    fields: key,
    firstMs: RENEW_MS,
    everyMs: RENEW_MS,
    round: async () => void (await take()),
  });
  await renewing.start();
  try {
    return await work({
      async require() {
        if (!(await take())) throw new OperatorError(`another process has taken over ${key.job}`, 'look at its run');
      },
    });
  } finally {
    await renewing.stop();
    await letGoOfJob(store.db, key, by);
  }
}
