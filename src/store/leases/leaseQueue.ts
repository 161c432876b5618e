import { pause, systemClock, turn } from '../../kernel/clock.ts';
import type { Lease } from './lease.ts';

/** After so long the connection is handed on only when timers and I/O have had their turn. */
const LONGEST_STRETCH_MS = 8;

interface Waiter<L> {
  readonly grant: (lease: L) => void;
  readonly refuse: (error: Error) => void;
  /** The lease that was at work when this one queued: the only one that can be waiting for it. */
  readonly behind: L | undefined;
}

/**
 * Hands one connection from holder to holder, first come, first served, and sees to it that no holder can
 * block it for ever, and that many holders in a row do not keep the one thread to themselves: a synchronous
 * driver answers in microtasks, so transactions that follow each other would never let the event loop turn.
 *
 * The driver is synchronous, so a holder that awaits nothing but its own queries is done within one drain of
 * the microtask queue. One that still holds the connection after that has awaited something foreign: a
 * timer, the network, or the outer db, which queues behind the holder itself and would deadlock. It is
 * evicted on the spot, and whoever queued while it was at work gets the same error: the one it awaits is
 * among them, and cannot be told from the others.
 */
export class LeaseQueue<L extends Lease> {
  readonly #newLease: () => L;
  readonly #undo: (lease: L) => void;
  readonly #monotonic: () => number;
  #holder: L | undefined;
  #waiters: Waiter<L>[] = [];
  #watched = false;
  /** When this turn of the event loop first handed out the connection; undefined when it has not yet. */
  #stretchBegan: number | undefined;
  #resting = false;

  /**
   * @param undo rolls back whatever the evicted lease has open
   * @param monotonic tells how long a stretch of work has lasted
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
   * Gives the connection to `work` for as long as it runs, if it is free now and nobody else's turn. It must be
   * synchronous up to its last query.
   * @returns undefined when the connection is not free: nothing has run
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

  /** Does nothing for a lease that was evicted: somebody else holds the connection by now. */
  release(lease: L): void {
    if (this.#holder === lease) this.#passOn();
  }

  /** Lets the holder wait for something outside this process, without a transaction; others wait behind it. */
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

  /** Begins a rest, after which the queue goes on by itself, when the stretch of work has been long enough. */
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
   * A tick that is scheduled in a microtask comes when the microtask queue is empty, and before any timer or
   * I/O. (`setImmediate` would let a transaction get away with a short timer now and then.) Who holds the
   * connection in that microtask and still in the tick is guilty; one that came between is watched anew,
   * for it may have begun in another tick and not had its microtasks yet.
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
