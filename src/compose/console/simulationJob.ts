import { z } from 'zod';
import type { Core } from '../../core/context.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { simulate } from '../../sandbox/simulation/simulate.ts';
import type { JobWork } from './jobs.ts';

const task = z.object({ days: z.number(), properties: z.number() });

/** Returns the work of a simulation. What it has played stays; begun again, it would play everything a second time. */
export function simulationJob(core: Core): JobWork {
  return async ({ account, operator, task: given, isContinued, progress, signal }) => {
    if (isContinued) throw new OperatorError('stopped before the end, with the process; what was done stays done');
    const summary = await simulate(core, {
      owner: { account, operator },
      order: { ...task.parse(given), seed: core.random.bytes(4).readUInt32BE() >> 1 },
      perMinute: null,
      progress,
      signal,
    });
    const facts = Object.entries(summary.bookings).map(([state, count]): [string, string] => [state, String(count)]);
    return { text: '', facts };
  };
}
