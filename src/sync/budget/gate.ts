import { type Gate, type MetLimit, type Purpose, purposes } from '../../client/gate.ts';
import { type OperationId, operations } from '../../contract/index.ts';
import { accountWindows, failedRequestWindows, rateClasses } from '../../contract/limits.ts';
import type { Profile } from '../../contract/dialect/profile.ts';
import type { Clock, Timer } from '../../kernel/clock.ts';
import { type Hold, Holds } from './holds.ts';
import { Ledger, type Limits } from './ledger.ts';

/** The largest assumed difference of the clocks, including the travel of a request. */
const GUARD_MS = 1_000;

/** The limits that v3 describes. */
export const describedLimits: Limits = {
  account: accountWindows,
  windowsOf: (operation) => rateClasses[operations[operation].rate],
  failed: failedRequestWindows,
};

/** Returns the limits of a deployment: the described ones, if its profile has no others. */
export function limitsOf({ limits: { account, each, operations: named, failed } }: Pick<Profile, 'limits'>): Limits {
  return {
    account: account ?? describedLimits.account,
    windowsOf: (operation) => named[operation] ?? each ?? describedLimits.windowsOf(operation),
    failed: failed ?? describedLimits.failed,
  };
}

/** Returns the limits for plans: those that a gate enforces, or, if it enforces none, the described ones. */
export function plannedLimits({ limits }: Pick<Budget, 'limits'>): Limits {
  return limits === noLimits ? describedLimits : limits;
}

/** Limits nothing, but counts requests, so that a cap can be learnt when it is met. */
const noLimits: Limits = {
  account: [60, 3_600].map((seconds) => ({ seconds, max: Number.POSITIVE_INFINITY })),
  windowsOf: () => [],
  failed: failedRequestWindows,
};

/** A gate that reports when it would open. */
export interface Budget extends Gate {
  /** The limits that it enforces. */
  readonly limits: Limits;
  /** Returns the time when a request made now would pass; not in the future: now. */
  opensAt(operation: OperationId, purpose: Purpose): number;
  /** Returns the waits that the other side has asked for, with their ends. */
  holds(): Hold[];
  /** Returns the requests so far, for plans. */
  ledger(): Ledger;
}

/** Makes a gate that only enforces the waits that the other side asks for: for upstreams without limits. */
export function openGate(clock: Clock): Budget {
  return new LimitedGate(clock, noLimits);
}

/**
 * Makes a gate that enforces the limits of v3, or others. It counts each fixed window of the account and of the
 * operation, and holds every request that would exceed one. From 429s it learns caps that are not described, and the
 * use by other programs of the account.
 */
export function describedLimitsGate(clock: Clock, limits: Limits = describedLimits): Budget {
  return new LimitedGate(clock, limits);
}

interface Waiter {
  operation: OperationId;
  purpose: Purpose;
  pass(): void;
}

class LimitedGate implements Budget {
  readonly limits: Limits;
  readonly #clock: Clock;
  readonly #ledger: Ledger;
  readonly #holding = new Holds();
  #waiting: Waiter[] = [];
  #timer: Timer | undefined;

  constructor(clock: Clock, limits: Limits) {
    this.limits = limits;
    this.#clock = clock;
    this.#ledger = new Ledger(limits, GUARD_MS);
  }

  acquire(operation: OperationId, purpose: Purpose, signal?: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    if (this.#waiting.length === 0 && this.#passesAt(operation, purpose, now) <= now) {
      this.#pass(operation, purpose, now);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { operation, purpose, pass: () => done(resolve) };
      const giveUp = () => {
        this.#waiting = this.#waiting.filter((one) => one !== waiter);
        done(() => reject(new Error('given up while waiting for a request to be allowed')));
      };
      const done = (settle: () => void) => {
        signal?.removeEventListener('abort', giveUp);
        settle();
      };
      // A waiter of the same kind has set the timer, and nothing has become free since.
      const isKnown = this.#waiting.some((one) => one.operation === operation && one.purpose === purpose);
      this.#waiting.push(waiter);
      if (signal?.aborted) return giveUp();
      signal?.addEventListener('abort', giveUp, { once: true });
      if (!isKnown) this.#letPass();
    });
  }

  hold(ms: number, operation?: OperationId, limit?: MetLimit): void {
    const now = this.#clock.now();
    this.#holding.begin(ms, operation ?? 'all', now);
    if (limit) this.#ledger.learn(limit, now);
  }

  failed(operation: OperationId): void {
    this.#ledger.fail(operation, this.#clock.now());
  }

  ledger(): Ledger {
    return this.#ledger.copy();
  }

  opensAt(operation: OperationId, purpose: Purpose): number {
    return this.#passesAt(operation, purpose, this.#clock.now());
  }

  holds(): Hold[] {
    return this.#holding.open(this.#clock.now());
  }

  /** Returns the time when this request may pass; a time that is not in the future: now. */
  #passesAt(operation: OperationId, purpose: Purpose, now: number): number {
    return this.#ledger.freeAt(operation, purpose, this.#holding.endsAt(operation, now));
  }

  #pass(operation: OperationId, purpose: Purpose, now: number): void {
    this.#holding.passed(operation, now);
    this.#ledger.take(operation, purpose, now);
  }

  #letPass(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const now = this.#clock.now();
    let next = Number.POSITIVE_INFINITY;
    const left: Waiter[] = [];
    const full = new Set<string>();
    for (const waiter of this.#waiting.toSorted((a, b) => rank[a.purpose] - rank[b.purpose])) {
      const { operation, purpose } = waiter;
      const kind = `${purpose} ${operation}`;
      // A waiter behind one of the same kind that cannot pass cannot pass either.
      const at = full.has(kind) ? next : this.#passesAt(operation, purpose, now);
      if (at <= now) {
        this.#pass(operation, purpose, now);
        waiter.pass();
      } else {
        full.add(kind);
        left.push(waiter);
        next = Math.min(next, at);
      }
    }
    this.#waiting = left;
    if (next < Number.POSITIVE_INFINITY) this.#timer = this.#clock.setTimer(next - now, () => this.#letPass());
  }
}

/** The order of the purposes is their priority. */
const rank = Object.fromEntries(purposes.map((purpose, index) => [purpose, index])) as Record<Purpose, number>;
