import type { ScanProgress, ScanResult } from '../purpose.ts';
import { BurstReader } from './burstReader.ts';
import { CatchingUp, type CatchUpOptions } from './catchingUp.ts';
import { CommandedScans } from './commanded.ts';
import { EverythingReader } from './everything.ts';
import { ScanTurns, type TurnOptions } from './turns.ts';

interface ScannerOptions extends CatchUpOptions, TurnOptions {
  /** Called when a scan against a burst begins, or is over. */
  onBurst(resource: string, state: 'began' | 'failed' | 'ended'): void;
}

type OnProgress = (progress: ScanProgress) => void;

/** Makes the scans of one connection. Except for reads of everything, they are made one at a time. */
export class Scanner {
  readonly #options: ScannerOptions;
  readonly #turns: ScanTurns;
  readonly #everything: EverythingReader;
  readonly #commanded: CommandedScans;
  readonly #bursts: BurstReader;
  readonly #catchingUp: CatchingUp;

  constructor(options: ScannerOptions) {
    this.#options = options;
    this.#turns = new ScanTurns(options);
    this.#everything = new EverythingReader(options, this.#turns);
    this.#commanded = new CommandedScans(options, this.#turns);
    this.#bursts = new BurstReader(options, this.#turns);
    this.#catchingUp = new CatchingUp(options, this.#turns, this.#everything);
  }

  /** Begins to hold the lease and to catch up. */
  start(): void {
    this.#catchingUp.start();
  }

  /** Resolves when everything has been read once since the start. */
  caughtUp(): Promise<void> {
    return this.#catchingUp.firstDone();
  }

  /** Returns true if this process, among all, is the one that scans. */
  holdsLease(): boolean {
    return this.#catchingUp.holdsLease;
  }

  /** Returns true if it was asked to read everything and could not note it. */
  get isForgetful(): boolean {
    return this.#catchingUp.isForgetful;
  }

  /** Requests that everything is read again, soon. */
  catchUp(why: string): void {
    this.#catchingUp.request(why);
  }

  /** Requests a scan in place of the look-ups of a burst. */
  burst(resource: string): void {
    if (this.holdsLease()) this.#bursts.request(resource);
  }

  /** Scans the named resource, or all, and applies the answers to the mirror. */
  async reconcile(resource: string | undefined, onProgress: OnProgress): Promise<ScanResult[]> {
    const results = await this.#commanded.reconcile(resource, onProgress);
    this.#options.registering.lookSoon();
    this.#catchingUp.wake();
    return results;
  }

  /** Reads the resources again that have quarantined rows. */
  retryQuarantined(onProgress: OnProgress): Promise<ScanResult[]> {
    return this.#commanded.retryQuarantined(onProgress);
  }

  /** Reads everything and writes it again. Only changes of upstream get into the feed. */
  rebuild(onProgress: OnProgress): Promise<ScanResult[]> {
    return this.#commanded.rebuild(onProgress);
  }

  /** Reads everything, the most useful first, or joins the read that is under way. */
  backfill(onProgress: OnProgress): Promise<ScanResult[]> {
    return this.#everything.read('backfill', onProgress);
  }

  /** Runs a job that scans, when its turn comes. */
  inTurn<T>(job: () => Promise<T>): Promise<T> {
    return this.#turns.run('command', job);
  }

  /** Resolves when nothing is under way, after the signal has aborted. */
  async stop(): Promise<void> {
    await this.#catchingUp.stop();
    await this.#everything.idle();
    await this.#turns.idle();
    await this.#options.lease.release();
  }
}
