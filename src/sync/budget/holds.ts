import { LONGEST_HOLD_MS } from '../../client/gate.ts';
import type { OperationId } from '../../contract/index.ts';

/** The first request after a hold that was cut short is alone for so long: its answer says whether it still holds. */
const PROBE_MS = 65_000;

/** Something that is left alone, since the other side has said so. */
export interface Hold {
  of: OperationId | 'all';
  since: number;
  /** When it is asked again. */
  until: number;
  /** Until when the other side wants to be left alone; later than `until` where that is too long to be believed. */
  askedUntil: number;
}

/** What is left alone, by the route that it concerns. */
export class Holds {
  readonly #held = new Map<OperationId | 'all', Hold>();

  /** @param of whom the other side has named: a route, or, where it has named nobody, all */
  begin(ms: number, of: OperationId | 'all', now: number): void {
    const before = this.#held.get(of);
    const still = before !== undefined && before.until > now;
    const until = Math.max(before?.until ?? 0, now + Math.min(ms, LONGEST_HOLD_MS));
    const askedUntil = Math.max(before?.askedUntil ?? 0, now + ms);
    this.#held.set(of, { of, since: still ? before.since : now, until, askedUntil });
  }

  /** The first moment, not before `now`, at which a request may be sent. */
  endsAt(operation: OperationId, now: number): number {
    return Math.max(now, this.#held.get('all')?.until ?? 0, this.#held.get(operation)?.until ?? 0);
  }

  /** A request was sent. Of a hold that would last longer it is the one that asks. */
  passed(operation: OperationId, now: number): void {
    for (const of of ['all', operation] as const) {
      const held = this.#held.get(of);
      if (!held || held.until > now) continue;
      if (held.askedUntil <= now) this.#held.delete(of);
      else this.#held.set(of, { ...held, until: now + PROBE_MS, askedUntil: now + PROBE_MS });
    }
  }

  /** What is left alone now. */
  open(now: number): Hold[] {
    return [...this.#held.values()].filter((one) => one.until > now || one.askedUntil > now);
  }
}
