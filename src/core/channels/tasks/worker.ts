import { turn } from '../../../kernel/clock.ts';
import { messageOf } from '../../../kernel/errors.ts';
import type { Logger } from '../../../kernel/log.ts';
import { Worker } from '../../../kernel/worker.ts';
import type { Core } from '../../context.ts';
import { perform } from './perform.ts';
import { dropTaskLeases, dueTasks, leaseTasks, openTask } from './table.ts';

/** Milliseconds between two polls of the table when no signal wakes the worker. */
const POLL_MS = 1_000;
/** Tasks claimed and in progress at once; never two of one calendar. */
const BATCH_TASKS = 16;
/** Longer than a channel may take. An older claim belongs to a process that has ended. */
const LEASE_MS = 60_000;

interface CalendarWorkerOptions {
  core: Core;
  log: Logger;
  /** true: one process owns the database, so leases of an earlier process mean nothing. */
  alone: boolean;
}

/**
 * Executes queued work on calendars, each task once, those of one calendar in their order. The commit of the lease is
 * the claim. An outcome is final. A task that a crash cut off has none and runs again.
 */
export function calendarWorker({ core, log, alone }: CalendarWorkerOptions): Worker {
  return new Worker({
    clock: core.clock,
    log,
    name: 'looking for work on calendars',
    everyMs: POLL_MS,
    async prepare() {
      if (alone) await dropTaskLeases(core.store.db);
    },
    async round(signal) {
      while (!signal.aborted && (await performDue(core, log)) > 0) await turn();
    },
  });
}

/** Claims tasks and executes them. @returns their number */
export async function performDue(core: Core, log: Logger): Promise<number> {
  if ((await openTask(core.store.db, {})).length === 0) return 0;
  const tasks = await core.store.transaction(async (trx) => {
    const due = await dueTasks(trx, core.clock.now(), BATCH_TASKS);
    await leaseTasks(trx, due, core.clock.now() + LEASE_MS);
    return due;
  });
  await Promise.all(
    tasks.map(async (task) => {
      try {
        const { outcome, problem } = await perform(core, task);
        if (outcome !== 'clean') log.warn({ task: task.id, outcome, problem }, 'a calendar push did not end cleanly');
      } catch (error) {
        // The task has no outcome and runs again when its lease is over.
        log.error({ task: task.id, problem: messageOf(error) }, 'work on a calendar was cut off');
      }
    }),
  );
  return tasks.length;
}
