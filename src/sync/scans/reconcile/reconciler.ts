import type { CallError } from '../../../client/callError.ts';
import { sleep } from '../../../kernel/clock.ts';
import { instantOf } from '../../../kernel/dates.ts';
import { messageOf } from '../../../kernel/errors.ts';
import { next } from '../../../kernel/transitions.ts';
import { readConnection } from '../../tables/connection/state.ts';
import type { Budget } from '../../budget/gate.ts';
import type { ReconciliationsTable } from './tables.ts';
import { originOf, type ScanContext } from '../purpose.ts';
import { needsHost, runScan } from '../run.ts';
import { applying } from '../visitApply.ts';
import { dueAt, nextAhead, nextReconciliation } from './due.ts';
import { ensureTiers, noteBegin, noteEnd, partName, readTiers, type Tier } from './freshness.ts';
import { type Lane, lanesOf } from './lanes.ts';
import { planPaces } from './planReconciliation.ts';
import { keepTimetable, type Schedule } from './schedules.ts';
import { tierLife } from './states.ts';

/** The time between two checks for due tiers: other processes' reads show only in the table. */
const LOOK_MS = 10_000;
/** The interval at which the size of the mirror is counted again. */
const RECOUNT_MS = 30 * 60_000;
const UNHURRIED: ReadonlyMap<string, number> = new Map();

export interface ReconcilerOptions extends ScanContext {
  tiers: readonly Tier[];
  gate: Budget;
  schedules: readonly Schedule[];
  /** Returns true if this process is the one that scans. */
  holdsLease(): boolean;
  /** Returns true during a burst: look-ups and its scan come first. */
  isBursting(): boolean;
  /** Called when keys may have become dirty. */
  onMarked(): Promise<void>;
  onHostTrouble(error: CallError): Promise<void>;
  untilActive(signal: AbortSignal): Promise<unknown>;
}

/** Reads the tiers of one connection again, each before it is too old; within a lane one at a time. */
export interface Reconciler {
  /** Resolves when nothing is under way; the signal of the options ends it. */
  stopped(): Promise<void>;
}

/**
 * Starts the reconciler. The next action follows from the ages in the table alone. So the next check, by any process,
 * finds a reconciliation that failed, was interrupted or was never made.
 */
export function startReconciler(options: ReconcilerOptions): Reconciler {
  const { clock, connection, store, log, signal, tiers } = options;
  /** Tiers that are due by schedule. */
  const ordered = new Set<string>();
  let paces: { at: number; of: ReadonlyMap<string, number> } | undefined;
  const byName = new Map(tiers.map((tier) => [partName(tier.scan), tier]));

  async function keep(): Promise<void> {
    await listed();
    const timetable = keepTimetable({ ...options, onDue: (tier) => void ordered.add(tier) });
    await Promise.all([timetable, ...lanesOf(tiers).map((lane) => keepLane(lane))]);
  }

  async function listed(): Promise<void> {
    while (!signal.aborted) {
      try {
        return await ensureTiers(store, connection, tiers);
      } catch (error) {
        log.error({ connection, problem: messageOf(error) }, 'what is to be reconciled could not be listed');
        await sleep(clock, LOOK_MS, signal);
      }
    }
  }

  async function keepLane(lane: Lane): Promise<void> {
    const own = lane.tiers.map((tier) => partName(tier.scan));
    const rowsOfLane = async () => (await readTiers(store.db, connection)).filter((row) => own.includes(row.tier));
    while (!signal.aborted) {
      await options.untilActive(signal);
      if (signal.aborted) return;
      try {
        const rows = await rowsOfLane();
        if (!(await reconcileOne(rows, lane.purpose))) await sleep(clock, pauseBefore(rows), signal);
      } catch (error) {
        log.error({ connection, problem: messageOf(error) }, 'looking for something to reconcile failed');
        await sleep(clock, LOOK_MS, signal);
      }
    }
  }

  /** @returns true if there was anything to do */
  async function reconcileOne(rows: readonly ReconciliationsTable[], purpose: Lane['purpose']): Promise<boolean> {
    if (!options.holdsLease() || options.isBursting()) return false;
    // Before everything was read once, all is too old, and the first read has a better order than this one.
    if ((await readConnection(store.db, connection)).caught_up_at === null) return false;
    const due = rows.find(({ tier }) => ordered.has(tier)) ?? nextReconciliation(rows, clock.now());
    const row = due ?? nextAhead(rows, await currentPaces(), clock.now());
    const tier = row && byName.get(row.tier);
    if (!tier) return false;
    ordered.delete(row.tier);
    await reconciliation(tier, purpose);
    return true;
  }

  async function currentPaces(): Promise<ReadonlyMap<string, number>> {
    const { limits } = options.gate;
    // Where nothing is limited, no part of it is free: the stated ages apply.
    if (limits.account.every(({ max }) => max === Number.POSITIVE_INFINITY)) return UNHURRIED;
    const now = clock.monotonic();
    if (paces && now - paces.at < RECOUNT_MS) return paces.of;
    paces = { at: now, of: await planPaces(options, tiers, limits) };
    return paces.of;
  }

  async function reconciliation({ scan }: Tier, purpose: Lane['purpose']): Promise<void> {
    const tier = partName(scan);
    await noteBegin(store.db, connection, tier, instantOf(clock.now()));
    const end = (trigger: 'finish' | 'doubt' | 'fail', requests: number, rows: number, problem: string | null) =>
      noteEnd(
        store.db,
        connection,
        tier,
        { state: next(tierLife, 'running', trigger), requests, rows, problem },
        instantOf(clock.now()),
      );
    let progress = { requests: 0, rows: 0 };
    try {
      const visitor = applying(options, { origin: originOf(purpose), isAlone: true });
      const result = await runScan(options, scan, purpose, visitor, ({ requests, rows }) => {
        progress = { requests, rows };
      });
      await end(result.state === 'suspect' ? 'doubt' : 'finish', result.requests, result.rows, result.problem);
    } catch (error) {
      await end('fail', progress.requests, progress.rows, messageOf(error));
      if (signal.aborted) return;
      if (needsHost(error)) return options.onHostTrouble(error);
      log.warn({ connection, tier, problem: messageOf(error) }, 'a reconciliation failed; it is tried again');
    }
    await options.onMarked();
  }

  function pauseBefore(rows: readonly ReconciliationsTable[]): number {
    const now = clock.now();
    const next = Math.min(...rows.map((row) => dueAt(row, now)));
    return Math.max(1_000, Math.min(LOOK_MS, next - now));
  }

  const kept = keep();
  return { stopped: () => kept };
}
