import { parentPort, workerData } from 'node:worker_threads';
import { messageOf, OperatorError, UsageError } from '../../kernel/errors.ts';
import type { EmittedEntry, Order, Said } from './order.ts';
import { work } from './work.ts';

const say = (said: Said) => parentPort?.postMessage(said);

/** Waits until the listener has taken the last message. */
function taken(): Promise<void> {
  return new Promise((resolve) => parentPort?.once('message', () => resolve()));
}

try {
  const result = await work(workerData as Order, {
    async onReport(report) {
      const answer = taken();
      say({ report });
      await answer;
    },
    onProgress: (progress) => say({ progress }),
    async onEntries(entries: readonly EmittedEntry[]) {
      const answer = taken();
      say({ emitted: entries });
      await answer;
    },
    async onLot(lot) {
      const answer = taken();
      say({ lot });
      await answer;
    },
  });
  say({ result });
} catch (error) {
  say({
    problem: {
      message: messageOf(error),
      hint: error instanceof OperatorError ? error.hint : undefined,
      isUsage: error instanceof UsageError,
      stack: error instanceof OperatorError || !(error instanceof Error) ? undefined : error.stack,
    },
  });
}
