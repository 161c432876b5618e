import type { OperationId } from '../../../contract/index.ts';
import type { LimitWindow } from '../../../contract/limits.ts';
import { beginAfterMs } from './due.ts';
import { Ledger, type Limits, SLOW_PART, RECONCILIATION_PART } from '../../budget/ledger.ts';
import { planWork, type Work } from '../../budget/plan.ts';

/** A read that is repeated for ever. */
export interface Recurring {
  name: string;
  /** The lane, among those that run in parallel. */
  lane: number;
  purpose: 'reconcile' | 'reconcile_slow';
  /** The age that its rows should never exceed. */
  maxAgeMs: number;
  work: readonly Work[];
}

/** The interval and the greatest age of a repeated read under the limits. */
export interface Guarantee {
  name: string;
  requests: number;
  /** Milliseconds from the beginning of one read to that of the next. */
  everyMs: number;
  lastsMs: number;
  /** The age that its rows never exceed at this size; null: there is no room for it at all. */
  maxAgeMs: number | null;
}

/** The share of a limit that all repeated reads together take. */
export interface Load {
  operation: OperationId | 'account';
  perDay: number;
  /** The largest part of any window that all reads together take. */
  part: number;
}

const DAY_S = 86_400;

/**
 * Returns the ages that rows reach if all of this is read for ever. A read that finds no room is made less often.
 * @param recurring most urgent first
 */
export function guarantees(
  recurring: readonly Recurring[],
  limits: Limits,
  msPerRequest: number,
): { guarantees: Guarantee[]; loads: Load[] } {
  const asked = new Map<OperationId | 'account', number>();
  const lasts = recurring.map(({ work, purpose }) => lastingMs(work, purpose, limits, msPerRequest));
  const results = recurring.map((one, index): Guarantee => {
    const requests = one.work.reduce((sum, { requests: count }) => sum + count, 0);
    const lastsMs = lasts[index] ?? 0;
    const everyMs = Math.max(beginAfterMs(one.maxAgeMs, lastsMs), lastsMs, shortestMs(one, asked, limits));
    for (const [bucket, count] of bucketsOf(one.work)) {
      asked.set(bucket, (asked.get(bucket) ?? 0) + (count * DAY_S * 1_000) / everyMs);
    }
    // The lane may be busy with another tier at that time.
    const queueMs = Math.max(
      0,
      ...recurring.map((other, at) => (other !== one && other.lane === one.lane ? (lasts[at] ?? 0) : 0)),
    );
    const worstMs = everyMs + queueMs + lastsMs;
    const maxAgeMs = Number.isFinite(worstMs) ? Math.max(worstMs, one.maxAgeMs) : null;
    return { name: one.name, requests, everyMs, lastsMs, maxAgeMs };
  });
  const loads = [...asked].map(([operation, perDay]): Load => ({
    operation,
    perDay,
    part: partOf(operation, perDay, limits),
  }));
  return { guarantees: results, loads };
}

/** Returns the limits that some work counts against. */
export function loadParts(work: readonly Work[]): (OperationId | 'account')[] {
  return bucketsOf(work).map(([bucket]) => bucket);
}

function bucketsOf(work: readonly Work[]): [OperationId | 'account', number][] {
  const total = work.reduce((sum, { requests }) => sum + requests, 0);
  return [...work.map(({ operation, requests }): [OperationId, number] => [operation, requests]), ['account', total]];
}

/** Returns the duration of one read without other requests. */
function lastingMs(work: readonly Work[], purpose: Recurring['purpose'], limits: Limits, msPerRequest: number): number {
  if (work.every(({ requests }) => requests === 0)) return 0;
  const asking = work.reduce((sum, { requests }) => sum + requests, 0) * msPerRequest;
  return Math.max(asking, planWork(new Ledger(limits, 0), work, purpose, 0).finishAt);
}

/** Returns the shortest interval that the limits allow after the requests of the reads before it. */
function shortestMs(one: Recurring, asked: ReadonlyMap<string, number>, limits: Limits): number {
  const part = one.purpose === 'reconcile_slow' ? SLOW_PART : RECONCILIATION_PART;
  return Math.max(
    0,
    ...bucketsOf(one.work).map(([bucket, requests]) => {
      if (requests === 0) return 0;
      const all = perDayOf(windowsOf(bucket, limits), RECONCILIATION_PART) - (asked.get(bucket) ?? 0);
      const left = Math.min(all, perDayOf(windowsOf(bucket, limits), part));
      return left > 0 ? (requests * DAY_S * 1_000) / left : Number.POSITIVE_INFINITY;
    }),
  );
}

function windowsOf(bucket: OperationId | 'account', limits: Limits): readonly LimitWindow[] {
  return bucket === 'account' ? limits.account : limits.windowsOf(bucket);
}

/** Returns the requests a day that a part of every window sustains. */
function perDayOf(windows: readonly LimitWindow[], part: number): number {
  return Math.min(...windows.map(({ seconds, max }) => (Math.floor(max * part) * DAY_S) / seconds));
}

function partOf(bucket: OperationId | 'account', perDay: number, limits: Limits): number {
  return Math.max(0, ...windowsOf(bucket, limits).map(({ seconds, max }) => (perDay * seconds) / DAY_S / max));
}
