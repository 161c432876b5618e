import { pause, systemClock, turn } from '../../kernel/clock.ts';
import type { Lease } from './lease.ts';

/** Milliseconds after which the connection passes to the next holder only after timers and I/O have run. */
const LONGEST_STRETCH_MS = 8;

interface Waiter<L> {
  readonly grant: (lease: L) => void;
  readonly refuse: (error: Error) => void;
  /** The lease that was active when this one queued: the only one that can be waiting for it. */
  readonly behind: L | undefined;
}

/**
 * Passes one connection from holder to holder in the order of arrival. No holder can block it for ever, and a series of
 * holders cannot occupy the one thread: a synchronous driver answers in microtasks, so consecutive transactions would
 * never let the event loop run.
 *
 * Because the driver is synchronous, a holder that awaits only its own queries is done within one drain of the
 * microtask queue. A holder that still has the connection after that has awaited something foreign: a timer, the
 * network, or the outer db, which queues behind the holder itself and would deadlock. It is evicted at once, and every
 * lease that queued during its time gets the same error: the awaited one is among them, and cannot be distinguished.
 */
export class LeaseQueue<L extends Lease> {
  readonly #newLease: () => L;
  readonly #undo: (lease: L) => void;
  readonly #monotonic: () => number;
  #holder: L | undefined;
  #waiters: Waiter<L>[] = [];
  #watched = false;
  /** The time at which this turn of the event loop first passed the connection on; undefined if it has not yet. */
  #stretchBegan: number | undefined;
  #resting = false;

  /**
   * @param undo rolls back the open work of the evicted lease
   * @param monotonic measures the duration of a stretch of work
   */
  constructor(newLease: () => L, undo: (lease: L) => void, monotonic: () => number = systemClock.monotonic) {
    this.#newLease = newLease;
    this.#undo = undo;
    this.#monotonic = monotonic;
  }

  acquire(): Promise<L> {
    if (!this.#holder && !this.#mustRest()) return Promise.resolve(this.#give());
    const behind = this.#holder?.used ? this.#holder : undefined;
    return new Promise((grant, refuse) => this.#waiters.push({ grant, refuse, behind }));
  }

  /**
   * Gives the connection to `work` while it runs, if the connection is free and no other lease waits. `work` must be
   * synchronous up to its last query.
   * @returns undefined if the connection is not free: nothing has run
   */
  atOnce<T>(work: (lease: L) => T): T | undefined {
    if (this.#holder || this.#waiters.length > 0 || this.#mustRest()) return undefined;
    const lease = this.#newLease();
    this.#holder = lease;
    try {
      return work(lease);
    } finally {
      this.#holder = undefined;
    }
  }

  /** Does nothing for an evicted lease, because another one has the connection by now. */
  release(lease: L): void {
    if (this.#holder === lease) this.#passOn();
  }

  /** Lets the holder wait outside a transaction for something outside this process; others wait behind it. */
  async pause(lease: L, ms: number): Promise<void> {
    const mayWait = lease.mayWait;
    lease.mayWait = true;
    await pause(ms, new AbortController().signal);
    lease.mayWait = mayWait;
    if (!mayWait && !this.#watched) this.#watch();
  }

  #give(): L {
    const lease = this.#newLease();
    this.#holder = lease;
    if (!this.#watched) this.#watch();
    return lease;
  }

  #passOn(): void {
    this.#holder = undefined;
    if (this.#waiters.length === 0 || this.#mustRest()) return;
    this.#waiters.shift()?.grant(this.#give());
  }

  /** Begins a rest after a long stretch of work; the queue continues by itself after it. */
  #mustRest(): boolean {
    if (this.#resting) return true;
    const now = this.#monotonic();
    if (this.#stretchBegan === undefined) {
      this.#stretchBegan = now;
      void turn().then(() => this.#turned());
    }
    this.#resting = now - this.#stretchBegan >= LONGEST_STRETCH_MS;
    return this.#resting;
  }

  #turned(): void {
    this.#stretchBegan = undefined;
    if (!this.#resting) return;
    this.#resting = false;
    if (!this.#holder) this.#passOn();
  }

  /**
   * A tick that is scheduled in a microtask comes when the microtask queue is empty, and before any timer or I/O.
   * (`setImmediate` would sometimes miss a transaction with a short timer.) The holder of the connection in that
   * microtask that is still the holder in the tick is guilty. A holder that came between is watched again, since it may
   * have begun in another tick and not had its microtasks yet.
   */
  #watch(): void {
    this.#watched = true;
    queueMicrotask(() => {
      const suspect = this.#holder;
      process.nextTick(() => {
        this.#watched = false;
        if (suspect && suspect === this.#holder && !suspect.mayWait) this.#evict(suspect);
        else if (this.#holder && !this.#holder.mayWait) this.#watch();
      });
    });
  }

  #evict(lease: L): void {
    const after = lease.lastSql ? ` (its last query: ${lease.lastSql.slice(0, 200)})` : '';
    const error = new Error(
      'a write transaction may await only its own queries; this one awaited something else and was rolled ' +
        `back: inside it use \`trx\`, never the outer db, and wait for no timer, file or network${after}`,
    );
    this.#undo(lease);
    lease.revoke(error);
    const refused = this.#waiters.filter((waiter) => waiter.behind === lease);
    this.#waiters = this.#waiters.filter((waiter) => waiter.behind !== lease);
    this.#passOn();
    for (const waiter of refused) waiter.refuse(error);
  }
}
