import { msOf } from '../../../kernel/dates.ts';
import type { ReconciliationsTable } from './tables.ts';

/** A reconciliation begins when its rows have reached this part of the age they may have: the rest is for waiting and reading. */
const BEGIN_PART = 0.75;
/** After a reconciliation that failed: the first wait, doubled each time, up to this part of the age the rows may have. */
const FIRST_REST_MS = 30_000;
const LONGEST_REST_PART = 0.25;

/** A reconciliation is expected to take as long as the last one, and this much more. */
const LONGER = 1.5;
/** However long a reconciliation takes, it does not begin again before this part of the age its rows may have. */
const EARLIEST_PART = 0.1;

type Row = Pick<ReconciliationsTable, 'fresh_since' | 'max_age_s' | 'tried_at' | 'finished_at' | 'state' | 'failures'>;

/** Milliseconds since the newest complete reading began; undefined: there was none. */
export function ageOf({ fresh_since }: Row, nowMs: number): number | undefined {
  return fresh_since === null ? undefined : Math.max(0, nowMs - msOf(fresh_since));
}

/** Returns overdue for what is older than it may be or was never read. It follows from the rows alone: a reconciliation that died becomes overdue by itself. */
export function freshnessOf(row: Row, nowMs: number): 'ok' | 'overdue' {
  const age = ageOf(row, nowMs);
  return age === undefined || age > row.max_age_s * 1_000 ? 'overdue' : 'ok';
}

/** When a reconciliation is to begin. A clock that was set back makes nothing wait for longer than its age allows. */
export function dueAt(row: Row, nowMs: number): number {
  const maxAgeMs = row.max_age_s * 1_000;
  const freshSince = row.fresh_since === null ? undefined : Math.min(msOf(row.fresh_since), nowMs);
  const wanted = freshSince === undefined ? nowMs : freshSince + beginAfterMs(maxAgeMs, lastedMs(row));
  if (row.failures === 0 || row.tried_at === null) return wanted;
  const restMs = Math.min(FIRST_REST_MS * 2 ** (row.failures - 1), maxAgeMs * LONGEST_REST_PART);
  return Math.max(wanted, Math.min(msOf(row.tried_at), nowMs) + restMs);
}

/** How long after the beginning of one reading the next one begins, given how long one takes. */
export function beginAfterMs(maxAgeMs: number, lastsMs: number): number {
  return Math.max(maxAgeMs * EARLIEST_PART, Math.min(maxAgeMs * BEGIN_PART, maxAgeMs - LONGER * lastsMs));
}

/** How long the last complete reconciliation took; 0 when that is not known. */
function lastedMs({ tried_at, finished_at, state }: Row): number {
  if (state !== 'done' || tried_at === null || finished_at === null) return 0;
  return Math.max(0, msOf(finished_at) - msOf(tried_at));
}

/** The one to reconcile now: of those that are due, the one that is stale first. undefined: none is due. */
export function nextReconciliation<One extends Row>(rows: readonly One[], nowMs: number): One | undefined {
  const due = rows.filter((row) => dueAt(row, nowMs) <= nowMs);
  return due.toSorted((a, b) => deadline(a) - deadline(b))[0];
}

function deadline({ fresh_since, max_age_s }: Row): number {
  // What was never read is most urgent, the part that may be least old first.
  return fresh_since === null ? max_age_s : msOf(fresh_since) + max_age_s * 1_000;
}

/**
 * Of those that are not due yet, the one to reconcile while there is room: that which is beyond its pace by most.
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
