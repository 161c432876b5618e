import type { MetLimit, Purpose } from '../../client/gate.ts';
import type { OperationId } from '../../contract/index.ts';
import type { LimitWindow } from '../../contract/limits.ts';

/** The classes of requests that share the room in a window. */
type Class = 'reply' | 'live' | 'reconcile' | 'slow' | 'bulk';

const classOf: Record<Purpose, Class> = {
  reply: 'reply',
  setup: 'reply',
  probe: 'reply',
  lookup: 'live',
  reconcile: 'reconcile',
  reconcile_slow: 'slow',
  scan: 'bulk',
  catch_up: 'bulk',
  verify: 'bulk',
  backfill: 'bulk',
};

/** The part of a window that a class may fill, whoever has used it; the rest is a reserve. */
const FILL: Record<Class, number> = { reply: 1, live: 0.98, reconcile: 0.9, slow: 0.9, bulk: 0.9 };
/**
 * The same for bulk work in windows of an hour and more: otherwise a first read would leave reconciliations nothing for
 * a day.
 */
const LONG_FILL = 0.6;
const LONG_SECONDS = 3_600;
/** The largest part of any window for reconciliations of all kinds together; the next constant, for slow ones alone. */
export const RECONCILIATION_PART = 0.3;
export const SLOW_PART = 0.2;
/** The part of the quota of failures at which a class stops its requests. */
const FAILED_PART: Record<Class, number> = { reply: 1, live: 0.9, reconcile: 0.5, slow: 0.5, bulk: 0.5 };
/** The time after which a learnt cap is forgotten: it may have been raised. */
const CAP_MS = 24 * 60 * 60_000;
/** The factor by which the estimated use of others shrinks with each window without a refusal. */
const FADE = 0.5;
/** The largest part of a window that others are believed to use all the time. */
const MOST_FOREIGN = 0.5;

/** The limits for requests. */
export interface Limits {
  readonly account: readonly LimitWindow[];
  windowsOf(operation: OperationId): readonly LimitWindow[];
  /** The limits for answers 400 and 404, for each operation. */
  readonly failed: readonly LimitWindow[];
}

/** A window and its remaining requests. */
interface Opening {
  seconds: number;
  start: number;
  room: number;
}

/** The use of one kind of window. */
interface Usage extends LimitWindow {
  of: OperationId | 'account';
  /** The requests in the open one. */
  used: number;
  peak: number;
}

/** The use of one window. */
interface Cell {
  /** Counted requests, including those that may have arrived in this window or in its neighbour. */
  used: number;
  reconciliations: number;
  slow: number;
  /** Requests sent while it was open by our clock; the next field counts the refused ones. */
  sent: number;
  refused: number;
  /** The use by others that a refusal has shown. */
  foreign: number;
}

interface Counter {
  readonly window: LimitWindow;
  readonly cells: Map<number, Cell>;
  /** The expected use of a window by others, and the window of that finding. */
  expected: { amount: number; start: number } | undefined;
  /** The end of belief in a learnt window; undefined: it was described. */
  until: number | undefined;
}

/**
 * Counts requests against the windows of the account, the token and each operation. Windows begin at the multiples of
 * their length, but clocks differ and requests travel: one that leaves near a boundary counts on both sides of it.
 */
export class Ledger {
  readonly #limits: Limits;
  readonly #guardMs: number;
  readonly #shared: Counter[];
  readonly #own = new Map<OperationId, Counter[]>();
  readonly #failed = new Map<OperationId, Counter[]>();

  /** @param guardMs the largest difference of the clocks, including travel */
  constructor(limits: Limits, guardMs: number) {
    this.#limits = limits;
    this.#guardMs = guardMs;
    this.#shared = limits.account.map(counter);
  }

  /** Returns the number of requests that may be sent at this moment. */
  room(operation: OperationId, purpose: Purpose, now: number): number {
    let room = Number.POSITIVE_INFINITY;
    for (const one of this.#counters(operation, now)) {
      for (const start of this.#touched(one, now)) room = Math.min(room, roomIn(one, start, classOf[purpose]));
    }
    return this.#isFailing(operation, classOf[purpose], now) === undefined ? Math.max(0, room) : 0;
  }

  /** Returns the first moment, not before `now`, at which a request may be sent. */
  freeAt(operation: OperationId, purpose: Purpose, now: number): number {
    const kind = classOf[purpose];
    let at = now;
    for (;;) {
      let next = this.#isFailing(operation, kind, at) ?? at;
      for (const one of this.#counters(operation, at)) {
        for (const start of this.#touched(one, at)) {
          if (roomIn(one, start, kind) <= 0) next = Math.max(next, start + lengthOf(one) + this.#guardMs);
        }
      }
      if (next <= at) return at;
      at = next;
    }
  }

  /** Returns the windows that a request of this moment falls into, the shortest first, each with its room. */
  openings(of: OperationId | 'account', purpose: Purpose, at: number): Opening[] {
    const counters = of === 'account' ? this.#shared : this.#routes(of);
    return counters
      .map((one) => {
        const start = startOf(one, at);
        return { seconds: one.window.seconds, start, room: Math.max(0, roomIn(one, start, classOf[purpose])) };
      })
      .toSorted((a, b) => a.seconds - b.seconds);
  }

  /**
   * Returns the first moment after `at` that is safely within the next of the shortest windows; undefined: there are
   * none.
   */
  nextSlot(at: number): number | undefined {
    const seconds = Math.min(...this.#limits.account.map((window) => window.seconds));
    if (!Number.isFinite(seconds)) return undefined;
    const length = seconds * 1_000;
    return (Math.floor((at - this.#guardMs) / length) + 1) * length + this.#guardMs;
  }

  /** Counts requests that are sent at this moment. */
  take(operation: OperationId, purpose: Purpose, now: number, count = 1): void {
    const kind = classOf[purpose];
    for (const one of this.#counters(operation, now)) {
      const own = startOf(one, now);
      for (const start of this.#touched(one, now)) {
        const cell = cellOf(one, start);
        cell.used += count;
        if (kind === 'reconcile' || kind === 'slow') cell.reconciliations += count;
        if (kind === 'slow') cell.slow += count;
        if (start === own) cell.sent += count;
      }
      forgetOld(one, now);
    }
  }

  /** Counts an answer against the quota of failures. */
  fail(operation: OperationId, now: number): void {
    for (const one of this.#failures(operation)) {
      cellOf(one, startOf(one, now)).used += 1;
      forgetOld(one, now);
    }
  }

  /** Learns from a refused request (429): others use the same limit, or there is one that is not described. */
  learn({ operation, scope, seconds }: MetLimit, now: number): void {
    if (scope === 'token') return this.#learnCap(seconds, now);
    if (scope === 'endpoint_error') return this.#learnFailures(operation, seconds, now);
    const known = scope === 'endpoint' ? this.#routes(operation) : this.#shared;
    const met = known.find((one) => one.window.seconds === seconds && one.until === undefined);
    if (!met || met.window.max === Number.POSITIVE_INFINITY) return;
    const start = startOf(met, now);
    const cell = cellOf(met, start);
    cell.refused += 1;
    const others = Math.max(0, met.window.max - (cell.sent - cell.refused));
    cell.foreign = Math.max(cell.foreign, others);
    const passed = Math.max(0.1, (now - start) / lengthOf(met));
    const amount = Math.min(others / passed, met.window.max * MOST_FOREIGN);
    met.expected = { amount, start };
  }

  /** Returns the limiting windows, each with the most requests sent in one that is open or was lately. */
  usage(now: number): Usage[] {
    const routes = [...this.#own].map(([operation, counters]) => [operation, counters] as const);
    return [['account', this.#shared] as const, ...routes].flatMap(([of, counters]) =>
      counters
        .filter(({ window }) => window.max < Number.POSITIVE_INFINITY)
        .map((one) => {
          const used = one.cells.get(startOf(one, now))?.sent ?? 0;
          const peak = Math.max(0, ...[...one.cells.values()].map(({ sent }) => sent));
          return { of, ...one.window, used, peak };
        }),
    );
  }

  /** Returns a copy of the present counts, for plans. */
  copy(): Ledger {
    const copy = new Ledger(this.#limits, this.#guardMs);
    copy.#shared.splice(0, copy.#shared.length, ...this.#shared.map(copyOf));
    for (const [operation, counters] of this.#own) copy.#own.set(operation, counters.map(copyOf));
    for (const [operation, counters] of this.#failed) copy.#failed.set(operation, counters.map(copyOf));
    return copy;
  }

  #learnCap(seconds: number, now: number): void {
    const capped = this.#shared.find((one) => one.window.seconds === seconds && one.until !== undefined);
    const counted =
      capped ?? this.#shared.find((one) => one.window.seconds === seconds) ?? counter({ seconds, max: 1 });
    const cell = cellOf(counted, startOf(counted, now));
    cell.refused += 1;
    const max = Math.max(1, cell.sent - cell.refused);
    const learnt = copyOf(counted);
    const cap: Counter = {
      ...learnt,
      window: { seconds, max: Math.min(max, capped?.window.max ?? max) },
      expected: undefined,
      until: now + CAP_MS,
    };
    if (capped) this.#shared.splice(this.#shared.indexOf(capped), 1);
    this.#shared.push(cap);
  }

  #learnFailures(operation: OperationId, seconds: number, now: number): void {
    for (const one of this.#failures(operation)) {
      if (one.window.seconds === seconds) cellOf(one, startOf(one, now)).used = one.window.max;
    }
  }

  #counters(operation: OperationId, now: number): Counter[] {
    for (const one of this.#shared) {
      if (one.until !== undefined && one.until <= now) this.#shared.splice(this.#shared.indexOf(one), 1);
    }
    return [...this.#shared, ...this.#routes(operation)];
  }

  #routes(operation: OperationId): Counter[] {
    let counters = this.#own.get(operation);
    if (!counters) this.#own.set(operation, (counters = this.#limits.windowsOf(operation).map(counter)));
    return counters;
  }

  #failures(operation: OperationId): Counter[] {
    let counters = this.#failed.get(operation);
    if (!counters) this.#failed.set(operation, (counters = this.#limits.failed.map(counter)));
    return counters;
  }

  /** Returns the moment when the quota of failures has room again; undefined: it has. */
  #isFailing(operation: OperationId, kind: Class, now: number): number | undefined {
    let until: number | undefined;
    for (const one of this.#failed.get(operation) ?? []) {
      const start = startOf(one, now);
      const used = one.cells.get(start)?.used ?? 0;
      if (used >= one.window.max * FAILED_PART[kind])
        until = Math.max(until ?? 0, start + lengthOf(one) + this.#guardMs);
    }
    return until;
  }

  /** Returns the windows in which the other side may count a request of this moment. */
  #touched(one: Counter, now: number): number[] {
    const first = startOf(one, now - this.#guardMs);
    const last = startOf(one, now + this.#guardMs);
    const starts: number[] = [];
    for (let start = first; start <= last; start += lengthOf(one)) starts.push(start);
    return starts;
  }
}

function counter(window: LimitWindow): Counter {
  return { window, cells: new Map(), expected: undefined, until: undefined };
}

function copyOf(one: Counter): Counter {
  const cells = new Map([...one.cells].map(([start, cell]) => [start, { ...cell }]));
  return { ...one, cells, expected: one.expected && { ...one.expected } };
}

function lengthOf({ window }: Counter): number {
  return window.seconds * 1_000;
}

function startOf(one: Counter, now: number): number {
  return Math.floor(now / lengthOf(one)) * lengthOf(one);
}

function cellOf(one: Counter, start: number): Cell {
  let cell = one.cells.get(start);
  if (!cell) one.cells.set(start, (cell = { used: 0, reconciliations: 0, slow: 0, sent: 0, refused: 0, foreign: 0 }));
  return cell;
}

function roomIn(one: Counter, start: number, kind: Class): number {
  const { window } = one;
  const cell = one.cells.get(start);
  const fill = kind === 'bulk' && window.seconds >= LONG_SECONDS ? LONG_FILL : FILL[kind];
  // A cap of a few must still let something through.
  const most = Math.max(1, Math.floor(window.max * fill)) - (kind === 'reply' ? 0 : foreignIn(one, start));
  const room = most - (cell ? cell.used + cell.foreign : 0);
  if (kind !== 'reconcile' && kind !== 'slow') return room;
  const forReconciling = Math.max(1, Math.floor(window.max * RECONCILIATION_PART)) - (cell?.reconciliations ?? 0);
  const forSlow = Math.max(1, Math.floor(window.max * SLOW_PART)) - (cell?.slow ?? 0);
  return Math.min(room, forReconciling, kind === 'slow' ? forSlow : Number.POSITIVE_INFINITY);
}

/** Returns the expected use by others of a window in which none has shown yet. */
function foreignIn(one: Counter, start: number): number {
  if (!one.expected || start <= one.expected.start) return 0;
  const windows = (start - one.expected.start) / lengthOf(one);
  return Math.floor(one.expected.amount * FADE ** (windows - 1));
}

/** Deletes the windows before the last one: they have no further use. */
function forgetOld(one: Counter, now: number): void {
  if (one.cells.size <= 3) return;
  const oldest = startOf(one, now) - lengthOf(one);
  for (const start of one.cells.keys()) if (start < oldest) one.cells.delete(start);
}
