import type { Timer } from '../../../kernel/clock.ts';
import { messageOf } from '../../../kernel/errors.ts';
import type { Logger } from '../../../kernel/log.ts';
import { prune, type Pruning, type Retained } from './prune.ts';

/** The interval at which the tables are checked for old data. */
const EVERY_MS = 3_600_000;

/** Deletes old data, now and every hour. */
export interface Retention {
  stop(): Promise<void>;
}

export function startRetention(options: Omit<Pruning, 'signal'> & { retained: Retained; log: Logger }): Retention {
  const { clock, connection, retained, log } = options;
  const abort = new AbortController();
  let timer: Timer | undefined;

  async function run(): Promise<void> {
    try {
      const gone = await prune({ ...options, signal: abort.signal }, retained);
      if (Object.values(gone).some((count) => count > 0)) log.info({ connection, ...gone }, 'took away what was old');
    } catch (error) {
      log.error({ connection, problem: messageOf(error) }, 'taking away what is old failed; tried again in an hour');
    }
    if (!abort.signal.aborted) timer = clock.setTimer(EVERY_MS, again);
  }

  function again(): void {
    running = run();
  }

  let running = run();
  return {
    async stop() {
      abort.abort();
      timer?.cancel();
      await running;
    },
  };
}
