import type { Lease } from './lease.ts';

interface Waiter<L> {
  readonly grant: (lease: L) => void;
  readonly refuse: (error: Error) => void;
  /** The lease that was at work when this one queued: the only one that can be waiting for it. */
  readonly behind: L | undefined;
}

/**
 * Hands one connection from holder to holder, first come, first served, and sees to it that no holder can
 * block it for ever.
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
  #holder: L | undefined;
  #waiters: Waiter<L>[] = [];
  #watched = false;

  /** @param undo rolls back whatever the evicted lease has open */
  constructor(newLease: () => L, undo: (lease: L) => void) {
    this.#newLease = newLease;
    this.#undo = undo;
  }

  acquire(): Promise<L> {
    if (!this.#holder) return Promise.resolve(this.#give());
    const behind = this.#holder.used ? this.#holder : undefined;
    return new Promise((grant, refuse) => this.#waiters.push({ grant, refuse, behind }));
  }

  /** Does nothing for a lease that was evicted: somebody else holds the connection by now. */
  release(lease: L): void {
    if (this.#holder === lease) this.#passOn();
  }

  #give(): L {
    const lease = this.#newLease();
    this.#holder = lease;
    if (!this.#watched) this.#watch();
    return lease;
  }

  #passOn(): void {
    this.#holder = undefined;
    const next = this.#waiters.shift();
    if (next) next.grant(this.#give());
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
        if (suspect && suspect === this.#holder) this.#evict(suspect);
        else if (this.#holder) this.#watch();
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
