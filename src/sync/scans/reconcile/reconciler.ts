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
import { ApplyingVisitor } from '../visitApply.ts';
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

interface ReconcilerOptions extends ScanContext {
  tiers: readonly Tier[];
  gate: Budget;
  schedules: readonly Schedule[];
  /** Until when the schedules were watched (epoch milliseconds). */
  watchedUntil: number;
  /** Returns true if this process is the one that scans. */
  holdsLease(): boolean;
  /** Returns true during a burst: look-ups and its scan come first. */
  isBursting(): boolean;
  /** Called when keys may have become dirty. */
  onMarked(): Promise<void>;
  onHostTrouble(error: CallError): Promise<void>;
  untilActive(signal: AbortSignal): Promise<unknown>;
}

/**
 * Reads the tiers of one connection again, each before it is too old; within a lane one at a time. The next action
 * follows from the ages in the table alone. So the next check, by any process, finds a reconciliation that failed, was
 * interrupted or was never made.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  /** Tiers that are due by schedule. */
  readonly #ordered = new Set<string>();
  #paces: { at: number; of: ReadonlyMap<string, number> } | undefined;
  readonly #byName: ReadonlyMap<string, Tier>;
  #kept: Promise<void> = Promise.resolve();

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    this.#byName = new Map(options.tiers.map((tier) => [partName(tier.scan), tier]));
  }

  start(): void {
    this.#kept = this.#keep();
  }

  /** Resolves when nothing is in progress; the signal of the options ends the work. */
  stop(): Promise<void> {
    return this.#kept;
  }

  async #keep(): Promise<void> {
    const { tiers } = this.#options;
    await this.#listed();
    const timetable = keepTimetable({ ...this.#options, onDue: (tier) => void this.#ordered.add(tier) });
    await Promise.all([timetable, ...lanesOf(tiers).map((lane) => this.#keepLane(lane))]);
  }

  async #listed(): Promise<void> {
    const { signal, store, connection, tiers, log, clock } = this.#options;
    while (!signal.aborted) {
      try {
        return await ensureTiers(store, connection, tiers);
      } catch (error) {
        log.error({ connection, problem: messageOf(error) }, 'what is to be reconciled could not be listed');
        await sleep(clock, LOOK_MS, signal);
      }
    }
  }

  async #keepLane(lane: Lane): Promise<void> {
    const { store, connection, signal, clock, log } = this.#options;
    const own = lane.tiers.map((tier) => partName(tier.scan));
    const rowsOfLane = async () => (await readTiers(store.db, connection)).filter((row) => own.includes(row.tier));
    while (!signal.aborted) {
      await this.#options.untilActive(signal);
      if (signal.aborted) return;
      try {
        const rows = await rowsOfLane();
        if (!(await this.#reconcileOne(rows, lane.purpose))) await sleep(clock, this.#pauseBefore(rows), signal);
      } catch (error) {
        log.error({ connection, problem: messageOf(error) }, 'looking for something to reconcile failed');
        await sleep(clock, LOOK_MS, signal);
      }
    }
  }

  /** @returns true if there was anything to do */
  async #reconcileOne(rows: readonly ReconciliationsTable[], purpose: Lane['purpose']): Promise<boolean> {
    const { store, connection, clock } = this.#options;
    if (!this.#options.holdsLease() || this.#options.isBursting()) return false;
    // Before everything was read once, all is too old, and the first read has a better order than this one.
    if ((await readConnection(store.db, connection)).caught_up_at === null) return false;
    const due = rows.find(({ tier }) => this.#ordered.has(tier)) ?? nextReconciliation(rows, clock.now());
    const row = due ?? nextAhead(rows, await this.#currentPaces(), clock.now());
    const tier = row && this.#byName.get(row.tier);
    if (!tier) return false;
    this.#ordered.delete(row.tier);
    await this.#reconciliation(tier, purpose);
    return true;
  }

  async #currentPaces(): Promise<ReadonlyMap<string, number>> {
    const { clock, tiers } = this.#options;
    const { limits } = this.#options.gate;
    // Where nothing is limited, no part of it is free: the stated ages apply.
    if (limits.account.every(({ max }) => max === Number.POSITIVE_INFINITY)) return UNHURRIED;
    const now = clock.monotonic();
    if (this.#paces && now - this.#paces.at < RECOUNT_MS) return this.#paces.of;
    this.#paces = { at: now, of: await planPaces(this.#options, tiers, limits) };
    return this.#paces.of;
  }

  async #reconciliation({ scan }: Tier, purpose: Lane['purpose']): Promise<void> {
    const { store, connection, clock, signal, log } = this.#options;
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
      const visitor = new ApplyingVisitor(this.#options, { origin: originOf(purpose), isAlone: true });
      const result = await runScan(this.#options, scan, purpose, visitor, ({ requests, rows }) => {
        progress = { requests, rows };
      });
      await end(result.state === 'suspect' ? 'doubt' : 'finish', result.requests, result.rows, result.problem);
    } catch (error) {
      await end('fail', progress.requests, progress.rows, messageOf(error));
      if (signal.aborted) return;
      if (needsHost(error)) return this.#options.onHostTrouble(error);
      log.warn({ connection, tier, problem: messageOf(error) }, 'a reconciliation failed; it is tried again');
    }
    await this.#options.onMarked();
  }

  #pauseBefore(rows: readonly ReconciliationsTable[]): number {
    const { clock } = this.#options;
    const now = clock.now();
    const next = Math.min(...rows.map((row) => dueAt(row, now)));
    return Math.max(1_000, Math.min(LOOK_MS, next - now));
  }
}
