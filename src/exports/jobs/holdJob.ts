import { instantOf } from '../../kernel/dates.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { letGoOfJob, makeJobRow, takeJob } from './jobTable.ts';
import type { ExportPorts } from '../ports.ts';

/** A process that has not said for so long that it is at work has ended. */
const HELD_MS = 60_000;
const RENEW_MS = 20_000;

/** A job that nobody else can be at work on. */
export interface HeldJob {
  /** To be asked before anything leaves: @throws OperatorError when it was held for too long without a sign of life */
  require(): Promise<void>;
}

/**
 * Does work on a job while no other process can. On SQLite there is none.
 * @throws OperatorError when another process is at work on it
 */
export async function holdJob<T>(
  { store, clock, ids }: ExportPorts,
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
  const renew = () =>
    clock.setTimer(RENEW_MS, () => {
      timer = renew();
      // A failure shows when it is needed next.
      take().catch(() => {});
    });
  let timer = renew();
  try {
    return await work({
      async require() {
        if (!(await take())) throw new OperatorError(`another process has taken over ${key.job}`, 'look at its run');
      },
    });
  } finally {
    timer.cancel();
    await letGoOfJob(store.db, key, by);
  }
}
