import { Worker } from 'node:worker_threads';
import { OperatorError, UsageError } from '../../kernel/errors.ts';
import { threadFile } from '../../kernel/program/threadFile.ts';
import type { Listener, Order, Result, Said } from './order.ts';

/**
 * Limits of the thread's heap. On a machine with much memory, V8 lets garbage grow to many times the live 20 MB, which
 * do not depend on the length of the journal. Lower limits mean less garbage. The books of a million reservations stay
 * far below them.
 */
const MEMORY = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 1_024 };

/** Carries out an order in a thread of its own, which reads the database and writes the files. */
export async function inThread(order: Order, listener: Listener, signal: AbortSignal): Promise<Result> {
  const worker = new Worker(threadFile('exports/run/exportWorker'), {
    workerData: order,
    execArgv: [],
    resourceLimits: MEMORY,
  });
  let stop = () => {};
  const done = new Promise<Result>((resolve, reject) => {
    stop = () => reject(new OperatorError('the export was stopped before it was done', 'run it again'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    worker.on('message', (said: Said) => {
      if ('progress' in said) listener.onProgress(said.progress);
      else if ('result' in said) resolve(said.result);
      else if ('problem' in said) reject(failureOf(said.problem));
      else {
        take(said, listener)
          .then(() => worker.postMessage('taken'))
          .catch(reject);
      }
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('the thread of the books ended before its work')));
  });
  try {
    return await done;
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

/** Handles a message for which the thread waits. */
async function take(
  said: Extract<Said, { report: unknown } | { emitted: unknown } | { lot: unknown }>,
  listener: Listener,
) {
  if ('report' in said) return listener.onReport(said.report);
  return 'lot' in said ? listener.onLot?.(said.lot) : listener.onEntries(said.emitted);
}

function failureOf({ message, hint, isUsage, stack }: Extract<Said, { problem: unknown }>['problem']): Error {
  if (stack !== undefined) return Object.assign(new Error(message), { stack });
  return isUsage ? new UsageError(message, hint) : new OperatorError(message, hint);
}
