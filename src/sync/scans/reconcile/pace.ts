import { type Guarantee, guarantees, loadParts, type Recurring } from './guarantee.ts';
import { type Limits, SLOW_PART, RECONCILIATION_PART } from '../../budget/ledger.ts';

/** Of what reconciliations may use, this part; the rest is for those that wait for something, and for what grows. */
const USED_PART = 0.8;
/** Of the time of a lane, this part: a reconciliation that is due finds it free. */
const BUSY_PART = 0.5;
/** Nothing is read more often than in this part of the age it may have, nor within so long. */
const FLOOR_PART = 0.2;
const FLOOR_MS = 2 * 60_000;

/**
 * How often each of these is read while there is room: what the limits leave free of the part that is for reconciliations is
 * used, so that ages shrink. All together never take more, so the ages that are guaranteed stay so.
 * @returns milliseconds from the beginning of one reading to that of the next, by name; left out: as its age asks for
 */
export function paces(recurring: readonly Recurring[], limits: Limits, msPerRequest: number): Map<string, number> {
  const { guarantees: due, loads } = guarantees(recurring, limits, msPerRequest);
  const parts = new Map(loads.map(({ operation, part }) => [operation, part]));
  const found = new Map<string, number>();
  for (const [index, one] of recurring.entries()) {
    const { everyMs = Number.POSITIVE_INFINITY } = due[index] ?? {};
    const mostPart = one.purpose === 'reconcile_slow' ? SLOW_PART : RECONCILIATION_PART;
    const busiest = Math.max(...loadParts(one.work).map((operation) => parts.get(operation) ?? 0));
    // Without limits there is no part of them that could be free.
    if (!Number.isFinite(everyMs) || busiest === 0) continue;
    const times = Math.min((mostPart * USED_PART) / busiest, BUSY_PART / busyPart(recurring, due, one.lane));
    const floorMs = Math.max(FLOOR_MS, one.maxAgeMs * FLOOR_PART);
    if (times > 1) found.set(one.name, Math.min(everyMs, Math.max(floorMs, everyMs / times)));
  }
  return found;
}

/** The part of its time that a lane is at work. */
function busyPart(recurring: readonly Recurring[], due: readonly Guarantee[], lane: number): number {
  return recurring.reduce((sum, one, index) => {
    const { lastsMs = 0, everyMs = Number.POSITIVE_INFINITY } = due[index] ?? {};
    return one.lane === lane ? sum + lastsMs / everyMs : sum;
  }, 0);
}
