import { type Guarantee, guarantees, loadParts, type Recurring } from './guarantee.ts';
import { type Limits, SLOW_PART, RECONCILIATION_PART } from '../../budget/ledger.ts';

/**
 * The part of the reconciliations' share that paces use; the rest is for reads that wait for something, and for growth.
 */
const USED_PART = 0.8;
/** The part of a lane's time that paces use: a reconciliation that is due finds the lane free. */
const BUSY_PART = 0.5;
/** The part of the maximum age, and the least time, between two reads. */
const FLOOR_PART = 0.2;
const FLOOR_MS = 2 * 60_000;

/**
 * Returns the intervals at which tiers are read while there is room. They use the free part of the reconciliations'
 * share, so that ages shrink. All together never exceed that share, so the guaranteed ages hold.
 * @returns milliseconds from the beginning of one read to that of the next, by name; left out: as its age requires
 */
export function paces(recurring: readonly Recurring[], limits: Limits, msPerRequest: number): Map<string, number> {
  const { guarantees: due, loads } = guarantees(recurring, limits, msPerRequest);
  const parts = new Map(loads.map(({ operation, part }) => [operation, part]));
  const found = new Map<string, number>();
  for (const [index, one] of recurring.entries()) {
    const { everyMs = Number.POSITIVE_INFINITY } = due[index] ?? {};
    const mostPart = one.purpose === 'reconcile_slow' ? SLOW_PART : RECONCILIATION_PART;
    const busiest = Math.max(...loadParts(one.work).map((operation) => parts.get(operation) ?? 0));
    // Without limits there is no free part of them.
    if (!Number.isFinite(everyMs) || busiest === 0) continue;
    const times = Math.min((mostPart * USED_PART) / busiest, BUSY_PART / busyPart(recurring, due, one.lane));
    const floorMs = Math.max(FLOOR_MS, one.maxAgeMs * FLOOR_PART);
    if (times > 1) found.set(one.name, Math.min(everyMs, Math.max(floorMs, everyMs / times)));
  }
  return found;
}

/** Returns the part of its time that a lane is busy. */
function busyPart(recurring: readonly Recurring[], due: readonly Guarantee[], lane: number): number {
  return recurring.reduce((sum, one, index) => {
    const { lastsMs = 0, everyMs = Number.POSITIVE_INFINITY } = due[index] ?? {};
    return one.lane === lane ? sum + lastsMs / everyMs : sum;
  }, 0);
}
