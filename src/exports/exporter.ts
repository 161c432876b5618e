import { messageOf } from '../kernel/errors.ts';
import type { Worker } from '../kernel/worker.ts';
import { oneAtATime } from '../sync/scans/oneAtATime.ts';
import { keepBooks } from './books/keepBooks.ts';
import { keepRegularly } from './books/keeper.ts';
import { acknowledge, type AckOrder } from './jobs/acknowledge.ts';
import { listExports } from './jobs/listExports.ts';
import { type MapOrder, mapOf } from './accounts/map.ts';
import { matchPayouts } from './payouts/matchPayouts.ts';
import { previewPeriod } from './periods/preview.ts';
import { closePeriod, type CloseOrder, reopenPeriod } from './periods/periods.ts';
import type { ExportPorts, PlaceOrder } from './ports.ts';
import { runFiles } from './jobs/runFile.ts';
import { runDue } from './jobs/runDue.ts';
import { type OnProgress, runJob, type RunOrder } from './jobs/runJob.ts';
import { checkJobs, jobWorkers } from './jobs/schedule.ts';
import { confirmSettings, guardSettings } from './periods/settingsGuard.ts';
import { undoMatch, type UndoOrder } from './payouts/undoMatch.ts';
import { verifyBooks } from './periods/verify.ts';

/** All operations on the books. They run one at a time. */
export class Exports {
  readonly #ports: ExportPorts;
  readonly #stopping = new AbortController();
  readonly #queue = oneAtATime();
  /** What runs by itself, once it is started. */
  readonly #workers: Worker[] = [];

  /** @throws UsageError for a job that cannot run */
  constructor(given: ExportPorts) {
    this.#ports = guardSettings(given);
    checkJobs(this.#ports);
  }

  list(connection: string | undefined) {
    return listExports(this.#ports, connection);
  }

  map(order: MapOrder) {
    return mapOf(this.#ports, order);
  }

  /** Keeps places as settings of the books; not while something is being booked. */
  place(order: PlaceOrder): Promise<object> {
    return this.#alone(async () => this.#ports.place(order));
  }

  run(order: RunOrder, onProgress: OnProgress) {
    return this.#alone(() => runJob(this.#ports, order, this.#while(onProgress)));
  }

  /** Books everything from scratch and stores it. */
  book(connection: string | undefined, onProgress: OnProgress) {
    return this.#alone(() => keepBooks(this.#ports, { connection, fromScratch: true }, this.#while(onProgress)));
  }

  /** Books what has changed and stores it. */
  keep(connection: string) {
    return this.#alone(() => this.#keep(connection));
  }

  ack(order: AckOrder) {
    return this.#alone(() => acknowledge(this.#ports, order));
  }

  close(order: CloseOrder, onProgress: OnProgress) {
    return this.#alone(() => closePeriod(this.#ports, order, this.#while(onProgress)));
  }

  /** Says what closing a month would do now, and stores nothing. */
  preview(order: Parameters<typeof previewPeriod>[1], onProgress: OnProgress) {
    return this.#alone(() => previewPeriod(this.#ports, order, this.#while(onProgress)));
  }

  /** Lists the files of a run, or reads one. */
  files(order: Parameters<typeof runFiles>[1]) {
    return runFiles(this.#ports, order);
  }

  confirmSettings(order: Parameters<typeof confirmSettings>[1], onProgress: OnProgress) {
    return this.#alone(async () => {
      const report = await confirmSettings(this.#ports, order, this.#while(onProgress));
      if (report.count > 0) await this.#keepAfter(report.connection);
      return report;
    });
  }

  reopen(order: { period: string; connection?: string | undefined; reason: string }) {
    return this.#alone(() => reopenPeriod(this.#ports, order));
  }

  match(order: Parameters<typeof matchPayouts>[1], onProgress: OnProgress) {
    return this.#alone(async () => {
      const report = await matchPayouts(this.#ports, order, this.#while(onProgress));
      if (report.stored) await this.#keepAfter(report.connection);
      return report;
    });
  }

  undoMatch(order: UndoOrder) {
    return this.#alone(async () => {
      const report = await undoMatch(this.#ports, order);
      await this.#keepAfter(report.connection);
      return report;
    });
  }

  verify(connection: string | undefined, onProgress: OnProgress) {
    return this.#alone(() => verifyBooks(this.#ports, connection, this.#while(onProgress)));
  }

  /** Runs scheduled jobs at their times and stores the books for reports. */
  start(): void {
    const silently = this.#while(() => {});
    this.#workers.push(
      ...jobWorkers(this.#ports, (order) => this.#alone(() => runDue(this.#ports, order, silently))),
      ...(this.#ports.keepMinutes === 0 ? [] : [keepRegularly(this.#ports, (connection) => this.keep(connection))]),
    );
    for (const worker of this.#workers) void worker.start();
  }

  /** Resolves when nothing that runs by itself is in progress. */
  async settled(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.settled()));
  }

  /** Ends the work in progress; the next run finishes the rest. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#workers.map((worker) => worker.stop()));
    await this.#alone(async () => {});
  }

  /** The work is done even if storing the rows for reports fails. */
  async #keepAfter(connection: string): Promise<void> {
    try {
      await this.#keep(connection);
    } catch (error) {
      this.#ports.log.error({ connection, problem: messageOf(error) }, 'the books could not be kept');
    }
  }

  #keep(connection: string) {
    const silently = this.#while(() => {});
    return keepBooks(this.#ports, { connection, fromScratch: false }, silently);
  }

  #while(onProgress: OnProgress) {
    return { onProgress, signal: this.#stopping.signal };
  }

  #alone<T>(job: () => Promise<T>): Promise<T> {
    return this.#queue.run(0, job);
  }
}
