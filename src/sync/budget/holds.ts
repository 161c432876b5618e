import { LONGEST_HOLD_MS } from '../../client/gate.ts';
import type { OperationId } from '../../contract/index.ts';

/** The time for which the first request after a shortened hold is alone: its answer shows if the hold continues. */
const PROBE_MS = 65_000;

/** A wait that the other side has asked for. */
export interface Hold {
  of: OperationId | 'all';
  since: number;
  /** The time of the next request. */
  until: number;
  /** The end that the other side asked for; later than `until` if that is too long to be believed. */
  askedUntil: number;
}

/** The present waits, by the route that they concern. */
export class Holds {
  readonly #held = new Map<OperationId | 'all', Hold>();

  /** @param of the route that the other side has named, or, if it named none, all */
  begin(ms: number, of: OperationId | 'all', now: number): void {
    const before = this.#held.get(of);
    const still = before !== undefined && before.until > now;
    const until = Math.max(before?.until ?? 0, now + Math.min(ms, LONGEST_HOLD_MS));
    const askedUntil = Math.max(before?.askedUntil ?? 0, now + ms);
    this.#held.set(of, { of, since: still ? before.since : now, until, askedUntil });
  }

  /** Returns the first moment, not before `now`, at which a request may be sent. */
  endsAt(operation: OperationId, now: number): number {
    return Math.max(now, this.#held.get('all')?.until ?? 0, this.#held.get(operation)?.until ?? 0);
  }

  /** Reports that a request was sent. If the hold was shortened, this request probes it. */
  passed(operation: OperationId, now: number): void {
    for (const of of ['all', operation] as const) {
      const held = this.#held.get(of);
      if (!held || held.until > now) continue;
      if (held.askedUntil <= now) this.#held.delete(of);
      else this.#held.set(of, { ...held, until: now + PROBE_MS, askedUntil: now + PROBE_MS });
    }
  }

  /** Returns the present waits. */
  open(now: number): Hold[] {
    return [...this.#held.values()].filter((one) => one.until > now || one.askedUntil > now);
  }
}
