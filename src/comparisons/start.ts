import { instantOf, msOf } from '../kernel/dates.ts';
import { Worker } from '../kernel/worker.ts';
import type { ComparisonsContext } from './context.ts';
import { readComparison } from './read.ts';
import { changeComparison, dueComparison, isBehind } from './table.ts';

const LOOK_MS = 60_000;
const TROUBLE_MS = 10_000;
/** For so long a comparison is left to the process that reads it. */
const CLAIM_MS = 2 * 60_000;

/** Returns the worker that reads the calendars of one connection when they are due, one after the other. */
export function comparisonWorker(context: ComparisonsContext): Worker {
  const { store, connection, clock, log } = context;
  return new Worker({
    clock,
    log,
    name: 'comparing calendars',
    fields: { connection },
    everyMs: LOOK_MS,
    retryMs: TROUBLE_MS,
    // The first reads of a start come first.
    firstMs: LOOK_MS,
    async round() {
      const due = await dueComparison(store.db, connection, instantOf(clock.now()));
      if (!due || (await isBehind(store.db, connection))) return undefined;
      await changeComparison(store.db, due, { next_read_at: instantOf(clock.now() + CLAIM_MS) });
      const outcome = await readComparison(context, due);
      if (outcome.read === 'failed') {
        const { comparison_id: comparison, host, good_at } = due;
        const ageMs = clock.now() - msOf(good_at ?? due.created_at);
        log.warn(
          { connection, comparison, host, problem: outcome.problem, age_ms: ageMs },
          'a calendar was not compared',
        );
      }
      return 0;
    },
  });
}
