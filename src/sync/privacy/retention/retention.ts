import type { Logger } from '../../../kernel/log.ts';
import { Worker } from '../../../kernel/worker.ts';
import { prune, type Pruning, type Retained } from './prune.ts';

/** The interval at which the tables are checked for old data. */
const EVERY_MS = 3_600_000;

/** Deletes old data, at the start and every hour. */
export function retentionWorker(options: Omit<Pruning, 'signal'> & { retained: Retained; log: Logger }): Worker {
  const { clock, connection, retained, log } = options;
  return new Worker({
    clock,
    log,
    name: 'deleting old data',
    fields: { connection },
    everyMs: EVERY_MS,
    async round(signal) {
      const gone = await prune({ ...options, signal }, retained);
      if (Object.values(gone).some((count) => count > 0)) log.info({ connection, ...gone }, 'deleted old data');
    },
  });
}
