import { messageOf } from '../kernel/errors.ts';
import { Worker } from '../kernel/worker.ts';
import { oneAtATime } from '../sync/scans/oneAtATime.ts';
import { keepBooks } from './books/keepBooks.ts';
import { keepRegularly } from './books/keeper.ts';
import { acknowledge, type AckOrder } from './jobs/acknowledge.ts';
import { listExports } from './jobs/listExports.ts';
import { type MapOrder, mapOf } from './accounts/map.ts';
import { matchPayouts } from './payouts/matchPayouts.ts';
import { closePeriod, type CloseOrder, reopenPeriod } from './periods/periods.ts';
import type { ExportPorts } from './ports.ts';
import { runDue } from './jobs/runDue.ts';
import { type OnProgress, runJob, type RunOrder } from './jobs/runJob.ts';
import { checkJobs, type Schedule, scheduleJobs } from './jobs/schedule.ts';
import { confirmSettings, guardSettings } from './periods/settingsGuard.ts';
import { undoMatch, type UndoOrder } from './payouts/undoMatch.ts';
import { verifyBooks } from './periods/verify.ts';

/**
 * Opens all operations on the books. They run one at a time.
 * @throws UsageError for a job that cannot run
 */
export function openExports(given: ExportPorts) {
  const ports = guardSettings(given);
  checkJobs(ports);
  const stopping = new AbortController();
  const queue = oneAtATime();
  const alone = <T>(job: () => Promise<T>): Promise<T> => queue.run(0, job);
  const { signal } = stopping;
  const run = (order: RunOrder, onProgress: OnProgress) => alone(() => runJob(ports, order, { onProgress, signal }));
  /** The work is done even if storing the rows for reports fails. */
  const keepAfter = async (connection: string): Promise<void> => {
    try {
      await keepBooks(ports, connection, { onProgress: () => {}, signal });
    } catch (error) {
      ports.log.error({ connection, problem: messageOf(error) }, 'the books could not be kept');
    }
  };
  const book = (connection: string | undefined, onProgress: OnProgress) =>
    alone(() => keepBooks(ports, connection, { onProgress, signal }));
  let schedule: Schedule | undefined;
  let keeper: Worker | undefined;
  return {
    list: (connection: string | undefined) => listExports(ports, connection),
    map: (order: MapOrder) => mapOf(ports, order),
    run,
    book,
    ack: (order: AckOrder) => alone(() => acknowledge(ports, order)),
    close: (order: CloseOrder, onProgress: OnProgress) =>
      alone(() => closePeriod(ports, order, { onProgress, signal })),
    confirmSettings: (order: Parameters<typeof confirmSettings>[1], onProgress: OnProgress) =>
      alone(async () => {
        const report = await confirmSettings(ports, order, { onProgress, signal });
        if (report.count > 0) await keepAfter(report.connection);
        return report;
      }),
    reopen: (order: { period: string; connection?: string | undefined; reason: string }) =>
      alone(() => reopenPeriod(ports, order)),
    match: (order: Parameters<typeof matchPayouts>[1], onProgress: OnProgress) =>
      alone(async () => {
        const report = await matchPayouts(ports, order, { onProgress, signal });
        if (report.stored) await keepAfter(report.connection);
        return report;
      }),
    undoMatch: (order: UndoOrder) =>
      alone(async () => {
        const report = await undoMatch(ports, order);
        await keepAfter(report.connection);
        return report;
      }),
    verify: (connection: string | undefined, onProgress: OnProgress) =>
      alone(() => verifyBooks(ports, connection, { onProgress, signal })),
    /** Runs scheduled jobs at their times and stores the books for reports. */
    start(): void {
      schedule ??= scheduleJobs(ports, (order) => alone(() => runDue(ports, order, { onProgress: () => {}, signal })));
      if (ports.keepMinutes === 0 || keeper) return;
      keeper = keepRegularly(ports, (connection) => book(connection, () => {}));
      void keeper.start();
    },
    /** Resolves when no scheduled run is under way. */
    settled: async () => schedule?.settled(),
    /** Ends the work under way; the next run finishes the rest. */
    async stop(): Promise<void> {
      schedule?.stop();
      stopping.abort();
      await keeper?.stop();
      await schedule?.settled();
      await alone(async () => {});
    },
  };
}

/** The operations on the books. */
export type Exports = ReturnType<typeof openExports>;
