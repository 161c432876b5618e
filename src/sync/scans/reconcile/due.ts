import { msOf } from '../../../kernel/dates.ts';
import type { ReconciliationsTable } from './tables.ts';

/** The part of their maximum age at which rows are reconciled: the rest is for waiting and reading. */
const BEGIN_PART = 0.75;
/**
 * The first wait after a failed reconciliation. It doubles each time, up to the next constant's part of the maximum
 * age.
 */
const FIRST_REST_MS = 30_000;
const LONGEST_REST_PART = 0.25;

/** The factor for the expected duration: a reconciliation is expected to take this much longer than the last one. */
const LONGER = 1.5;
/** The part of the maximum age before which a reconciliation does not begin again, however long it takes. */
const EARLIEST_PART = 0.1;

type Row = Pick<ReconciliationsTable, 'fresh_since' | 'max_age_s' | 'tried_at' | 'finished_at' | 'state' | 'failures'>;

/** Returns the milliseconds since the newest complete read began; undefined: there was none. */
export function ageOf({ fresh_since }: Row, nowMs: number): number | undefined {
  return fresh_since === null ? undefined : Math.max(0, nowMs - msOf(fresh_since));
}

/**
 * Returns overdue for rows that are older than they may be or were never read. It follows from the table alone: a
 * reconciliation that died becomes overdue by itself.
 */
export function freshnessOf(row: Row, nowMs: number): 'ok' | 'overdue' {
  const age = ageOf(row, nowMs);
  return age === undefined || age > row.max_age_s * 1_000 ? 'overdue' : 'ok';
}

/** Returns the moment to begin a reconciliation. A clock that was set back delays nothing beyond its maximum age. */
export function dueAt(row: Row, nowMs: number): number {
  const maxAgeMs = row.max_age_s * 1_000;
  const freshSince = row.fresh_since === null ? undefined : Math.min(msOf(row.fresh_since), nowMs);
  const wanted = freshSince === undefined ? nowMs : freshSince + beginAfterMs(maxAgeMs, lastedMs(row));
  if (row.failures === 0 || row.tried_at === null) return wanted;
  const restMs = Math.min(FIRST_REST_MS * 2 ** (row.failures - 1), maxAgeMs * LONGEST_REST_PART);
  return Math.max(wanted, Math.min(msOf(row.tried_at), nowMs) + restMs);
}

/** Returns the time from the beginning of one read to the next, given the duration of one. */
export function beginAfterMs(maxAgeMs: number, lastsMs: number): number {
  return Math.max(maxAgeMs * EARLIEST_PART, Math.min(maxAgeMs * BEGIN_PART, maxAgeMs - LONGER * lastsMs));
}

/** Returns the duration of the last complete reconciliation; 0 if it is not known. */
function lastedMs({ tried_at, finished_at, state }: Row): number {
  if (state !== 'done' || tried_at === null || finished_at === null) return 0;
  return Math.max(0, msOf(finished_at) - msOf(tried_at));
}

/** Returns the tier to reconcile now: among those that are due, the first to become stale. Undefined: none is due. */
export function nextReconciliation<One extends Row>(rows: readonly One[], nowMs: number): One | undefined {
  const due = rows.filter((row) => dueAt(row, nowMs) <= nowMs);
  return due.toSorted((a, b) => deadline(a) - deadline(b))[0];
}

function deadline({ fresh_since, max_age_s }: Row): number {
  // A tier that was never read is most urgent, and among such tiers the one with the lowest maximum age.
  return fresh_since === null ? max_age_s : msOf(fresh_since) + max_age_s * 1_000;
}

/**
 * Returns the tier to reconcile early, while there is room: among those that are not due yet, the one furthest beyond
 * its pace.
 * @param paces milliseconds from one beginning to the next, by tier
 */
export function nextAhead<One extends Row & { tier: string }>(
  rows: readonly One[],
  paces: ReadonlyMap<string, number>,
  nowMs: number,
): One | undefined {
  const beyond = (row: One) => (ageOf(row, nowMs) ?? 0) / (paces.get(row.tier) ?? Number.POSITIVE_INFINITY);
  const ahead = rows.filter((row) => row.failures === 0 && row.state !== 'running' && beyond(row) >= 1);
  return ahead.toSorted((a, b) => beyond(b) - beyond(a))[0];
}
