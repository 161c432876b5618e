import type { PlainDate } from '../../../src/kernel/dates.ts';
import type { Listing, Sale, Span } from './marketplace.ts';

/** A booking by the page, as its guest knows it. */
export interface DirectSale extends Span {
  readonly id: number;
  readonly flat: number;
  readonly code: string;
  readonly email: string;
  /** Path of the page of the booking. */
  readonly page: string;
  isOff: boolean;
}

/** Somebody who has bought nights, wherever it was. */
export interface Buyer {
  readonly place: string;
  readonly sale: Sale | DirectSale;
  readonly since: number;
  /** Where they are to sleep; a person may move them. */
  flat: number;
}

/** Two who have bought the same night of the same flat. */
export interface Conflict {
  readonly buyers: readonly [Buyer, Buyer];
  readonly since: number;
  /** When a person saw a sign of it. */
  seenMs: number | undefined;
  /** When it was over. */
  overMs: number | undefined;
}

/** A night that is no longer somebody's. */
interface Past extends Span {
  readonly flat: number;
  readonly endedMs: number;
}

/** What really happens in the world, whatever any program says of it. */
export class Truth {
  readonly counts = new Map<string, number>();
  readonly conflicts: Conflict[] = [];
  /** Bookings whose guest has sent money that nobody has noted yet. */
  readonly transfers = new Set<DirectSale>();
  /** Bookings whose guest has asked to cancel. */
  readonly cancellations = new Set<DirectSale>();
  /** Listings whose calendar fails or failed: until when, Infinity while it does. */
  readonly faults = new Map<Listing, number>();
  readonly past: Past[] = [];
  #buyers: Buyer[] = [];
  #dayOfCleaning = '';

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  get standing(): readonly Buyer[] {
    return this.#buyers.filter(({ sale }) => !sale.isOff);
  }

  addSale(place: string, sale: Sale, now: number): void {
    this.#add({ place, sale, since: now, flat: sale.flat }, now);
  }

  addDirect(sale: DirectSale, now: number): void {
    this.#add({ place: 'direct', sale, since: now, flat: sale.flat }, now);
  }

  /** Notes that a sale has ended. */
  ended(sale: Sale | DirectSale, now: number): void {
    const buyer = this.#buyers.find((one) => one.sale === sale);
    if (!buyer) throw new Error(`nobody bought ${sale.id}`);
    sale.isOff = true;
    this.past.push({ flat: buyer.flat, from: sale.from, to: sale.to, endedMs: now });
    this.#conflictsEnd(now);
  }

  moved(buyer: Buyer, flat: number, now: number): void {
    this.past.push({ flat: buyer.flat, from: buyer.sale.from, to: buyer.sale.to, endedMs: now });
    buyer.flat = flat;
    this.count('person: moved to another flat');
    this.#findConflicts(buyer, now);
    this.#conflictsEnd(now);
  }

  faultBegins(listing: Listing): void {
    this.faults.set(listing, Infinity);
  }

  faultEnds(listing: Listing, now: number): void {
    this.faults.set(listing, now);
  }

  /** A day goes by: what is over needs nobody any more. */
  passed(today: PlainDate, now: number): void {
    if (today === this.#dayOfCleaning) return;
    this.#dayOfCleaning = today;
    this.#buyers = this.#buyers.filter(({ sale }) => !sale.isOff && sale.to > today);
    for (const conflict of this.conflicts)
      if (conflict.overMs === undefined && conflict.buyers.some(({ sale }) => sale.to <= today)) conflict.overMs = now;
  }

  /** A person saw a sign of what concerns somebody. */
  seen(buyer: Buyer, now: number): void {
    for (const conflict of this.conflicts) if (conflict.buyers.includes(buyer)) conflict.seenMs ??= now;
  }

  #add(buyer: Buyer, now: number): void {
    this.#findConflicts(buyer, now);
    this.#buyers.push(buyer);
  }

  #findConflicts(buyer: Buyer, now: number): void {
    for (const other of this.standing) {
      if (other === buyer || !isOnSameNight(buyer, other)) continue;
      this.conflicts.push({ buyers: [buyer, other], since: now, seenMs: undefined, overMs: undefined });
      this.count(`sold twice: ${[buyer.place, other.place].toSorted().join(' and ')}`);
    }
  }

  #conflictsEnd(now: number): void {
    for (const conflict of this.conflicts) {
      const [a, b] = conflict.buyers;
      if (a.sale.isOff || b.sale.isOff || !isOnSameNight(a, b)) conflict.overMs ??= now;
    }
  }
}

function isOnSameNight(a: Buyer, b: Buyer): boolean {
  return a.flat === b.flat && a.sale.from < b.sale.to && b.sale.from < a.sale.to;
}
