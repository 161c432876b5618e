import { sleep } from '../../../kernel/clock.ts';
import { instantOf } from '../../../kernel/dates.ts';
import { messageOf } from '../../../kernel/errors.ts';
import { Worker } from '../../../kernel/worker.ts';
import { AFTER_STOP, caughtUp, readConnection, requestCatchUp } from '../../tables/connection/state.ts';
import { scans, scansAfterStop, scansOfRegistering } from '../all.ts';
import type { ScanContext } from '../purpose.ts';
import type { Scan } from '../scan.ts';
import { RENEW_MS, type ScanLease } from '../scanLease.ts';
import { markUnread } from '../unread.ts';
import { afterFailure, type FailureOptions } from './afterFailure.ts';
import type { EverythingReader } from './everything.ts';
import type { ScanTurns } from './turns.ts';

/** The longest time for which another process's request to catch up may go unseen. */
const LOOK_MS = 5_000;
/** Milliseconds until a request that could not be stored is stored again. */
const STORE_AGAIN_MS = 1_000;
/** A catch-up waits at most this long for the end of a burst. */
const MOST_WAIT_MS = 15 * 60_000;
const IDLE_LOOK_MS = 1_000;

/** What must be read after a clean stop; `later`: that shows later. */
export type Owed = 'nothing' | 'near' | 'everything' | 'later';

export interface CatchUpOptions extends ScanContext, FailureOptions {
  /** Maintains our registration for events. It is asked before any scan, so that no change falls between. */
  registering: { keep(): Promise<void>; doubt(): void; lookSoon(): void; readonly hasChanged: boolean };
  /** Set if this process makes scans by itself; commands are carried out in any case. */
  isOn: boolean;
  /** Decides which of several processes scans. */
  lease: ScanLease;
  /** Marks keys again that events name and that are no longer dirty. @returns true if there were any */
  findLost(): Promise<boolean>;
  isBursting(): boolean;
  /** Called when keys may have become dirty. */
  onMarked(): Promise<void>;
  /** Decides what must be read after a clean stop. */
  owedAfterStop(): Promise<Owed>;
  /** Resolves when reading is allowed. @returns true if it had been paused */
  untilActive(signal: AbortSignal): Promise<boolean>;
}

/** Holds the lease of the scans, and reads what was missed: at the start, after refused events, and on request. */
export class CatchingUp {
  readonly #options: CatchUpOptions;
  readonly #turns: ScanTurns;
  readonly #everything: EverythingReader;
  readonly #begunAt: number;
  readonly #first: Promise<void>;
  #firstDone: () => void = () => {};
  /** Looks for what is due. */
  readonly #looking: Worker;
  /** Renews the lease, since scans take longer than it lasts. */
  readonly #renewing: Worker;
  #holdsLease = false;
  /** The reason to read everything again, until it is stored: a database that refused an event may refuse this, too. */
  #request: string | undefined;
  #storing: Promise<void> | undefined;

  constructor(options: CatchUpOptions, turns: ScanTurns, everything: EverythingReader) {
    this.#options = options;
    this.#turns = turns;
    this.#everything = everything;
    this.#begunAt = options.clock.now();
    this.#first = new Promise((resolve) => (this.#firstDone = resolve));
    const { clock, log, connection } = options;
    const common = { clock, log, fields: { connection } };
    this.#looking = new Worker({
      ...common,
      name: 'looking for what is to be read again',
      everyMs: LOOK_MS,
      round: () => this.#look(),
    });
    this.#renewing = new Worker({
      ...common,
      name: 'renewing the lease of the scans',
      firstMs: RENEW_MS,
      everyMs: RENEW_MS,
      round: () => this.#renew(),
    });
  }

  /** True if this process, among all, is the one that scans. */
  get holdsLease(): boolean {
    return this.#holdsLease;
  }

  start(): void {
    if (this.#options.isOn) void this.#renewing.start();
    void this.#looking.start();
  }

  /** Resolves when everything has been read once since the start. */
  firstDone(): Promise<void> {
    return this.#first;
  }

  /** Looks now for what is to be read. */
  wake(): void {
    this.#looking.wake();
  }

  /** Requests that everything is read again, soon. */
  request(why: string): void {
    this.#request = `${why} at ${instantOf(this.#options.clock.now())}`;
    this.#storing ??= this.#storeRequest().finally(() => (this.#storing = undefined));
  }

  /** Returns true if a request to read everything could not be stored. */
  get isForgetful(): boolean {
    return this.#request !== undefined;
  }

  /** Resolves when the work has ended after the signal has aborted. */
  async stop(): Promise<void> {
    await Promise.all([this.#renewing.stop(), this.#looking.stop()]);
    this.#firstDone();
    await this.#storing;
  }

  async #storeRequest(): Promise<void> {
    const { store, connection, clock, log, signal } = this.#options;
    while (this.#request !== undefined && !signal.aborted) {
      const why = this.#request;
      try {
        await requestCatchUp(store.db, connection, why);
        if (this.#request === why) this.#request = undefined;
        this.wake();
      } catch (error) {
        log.error({ connection, problem: messageOf(error) }, 'a request to catch up was not stored; trying again');
        await sleep(clock, STORE_AGAIN_MS, signal);
      }
    }
  }

  async #look(): Promise<void> {
    const { isOn, untilActive, registering, lease, signal } = this.#options;
    // The cause that revoked our rights may have removed our registration, too.
    if (await untilActive(signal)) registering.doubt();
    if (signal.aborted) return;
    try {
      this.#holdsLease = isOn && (await lease.take());
      if (this.#holdsLease) await this.#work();
      else await this.#watch();
    } catch (error) {
      await afterFailure(this.#options, error);
    }
  }

  async #renew(): Promise<void> {
    if (!this.#holdsLease) return;
    try {
      this.#holdsLease = await this.#options.lease.take();
    } catch (error) {
      this.#holdsLease = false;
      throw error;
    }
  }

  /** Reports when everything has been read, while another process scans. */
  async #watch(): Promise<void> {
    const { store, connection } = this.#options;
    const { catch_up_due: why } = await readConnection(store.db, connection);
    if (why === null) this.#firstDone();
  }

  async #work(): Promise<void> {
    const { registering, findLost, onMarked } = this.#options;
    await registering.keep();
    if (await findLost()) await onMarked();
    await this.#catchUpIfDue();
  }

  async #catchUpIfDue(): Promise<void> {
    const { store, connection, clock, signal, onMarked } = this.#options;
    const { catch_up_due: why, caught_up_at } = await readConnection(store.db, connection);
    if (why === null) return this.#firstDone();
    const due = caught_up_at === null ? await this.#readFirst() : await this.#missedScans(why);
    if (due === undefined) return;
    // The whole of a kind is read with its dependents; parts are not.
    const isAlone = due !== scans;
    for (const scan of due) {
      await this.#untilIdle();
      if (signal.aborted) return;
      await this.#turns.run('catch_up', () => this.#turns.apply(scan, 'catch_up', { isAlone }));
    }
    if (signal.aborted) return;
    await caughtUp(store.db, connection, why, instantOf(clock.now()));
    // Marks days that these scans met too late, and those that answers left out.
    if (await markUnread(this.#options)) await onMarked();
    this.#firstDone();
  }

  /** Returns the scans that show what was missed; undefined: which these are is not known yet. */
  async #missedScans(why: string): Promise<readonly Scan[] | undefined> {
    if (why !== AFTER_STOP) return scans;
    const { owedAfterStop, registering, log, connection } = this.#options;
    const owed = await owedAfterStop();
    if (owed === 'later') return undefined;
    log.info({ connection, owed }, 'read after the stop');
    if (owed === 'nothing') return registering.hasChanged ? scansOfRegistering : [];
    return owed === 'near' ? scansAfterStop : scans;
  }

  /**
   * Reads everything, continuing where an earlier process was interrupted.
   * @returns the scans to make after it: rows that the earlier process had read may have changed while none listened
   */
  async #readFirst(): Promise<readonly Scan[]> {
    const results = await this.#everything.read('first');
    return results.some((one) => one.startedAt < this.#begunAt) ? scans : [];
  }

  async #untilIdle(): Promise<void> {
    const { clock, isBursting, signal } = this.#options;
    const end = clock.monotonic() + MOST_WAIT_MS;
    while (isBursting() && clock.monotonic() < end && !signal.aborted) await sleep(clock, IDLE_LOOK_MS, signal);
  }
}
