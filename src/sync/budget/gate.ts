import { type Gate, type Purpose, purposes } from '../../client/gate.ts';
import { type OperationId, operations } from '../../contract/index.ts';
import { accountWindows, failedRequestWindows, rateClasses } from '../../contract/limits.ts';
import type { Profile } from '../../contract/dialect/profile.ts';
import type { Clock, Timer } from '../../kernel/clock.ts';
import { type Hold, Holds } from './holds.ts';
import { Ledger, type Limits } from './ledger.ts';

/** How far the other side's clock may be from ours, the way of a request included. */
const GUARD_MS = 1_000;

export const describedLimits: Limits = {
  account: accountWindows,
  windowsOf: (operation) => rateClasses[operations[operation].rate],
  failed: failedRequestWindows,
};

/** The limits of a deployment: the described ones, where its profile has no others. */
export function limitsOf({ limits: { account, each, operations: named, failed } }: Pick<Profile, 'limits'>): Limits {
  return {
    account: account ?? describedLimits.account,
    windowsOf: (operation) => named[operation] ?? each ?? describedLimits.windowsOf(operation),
    failed: failed ?? describedLimits.failed,
  };
}

/** What plans go by: the limits that a gate keeps within, or, where it keeps within none, those described. */
export function plannedLimits({ limits }: Pick<Budget, 'limits'>): Limits {
  return limits === noLimits ? describedLimits : limits;
}

/** Nothing is limited; what is used is counted, so that a cap can be learnt when it is met. */
const noLimits: Limits = {
  account: [60, 3_600].map((seconds) => ({ seconds, max: Number.POSITIVE_INFINITY })),
  windowsOf: () => [],
  failed: failedRequestWindows,
};

/** A gate that says when it would open. */
export interface Budget extends Gate {
  /** What it keeps within. */
  readonly limits: Limits;
  /** When a request of this moment would pass; not in the future: now. */
  opensAt(operation: OperationId, purpose: Purpose): number;
  /** What the other side has asked us to leave alone, and until when it is. */
  holds(): Hold[];
  /** What was asked so far, to plan with. */
  ledger(): Ledger;
}

/** Lets everything pass but what was told to wait: for upstreams without limits. */
export function openGate(clock: Clock): Budget {
  return gateOver(clock, noLimits);
}

/**
 * Keeps within the limits that v3 describes, or within others: counts each fixed window of the account and of the operation
 * and lets nobody pass who would exceed one. Caps that nobody has described, and what other programs of the account
 * use, it learns from 429s.
 */
export function describedLimitsGate(clock: Clock, limits: Limits = describedLimits): Budget {
  return gateOver(clock, limits);
}

interface Waiter {
  operation: OperationId;
  purpose: Purpose;
  pass(): void;
}

function gateOver(clock: Clock, limits: Limits): Budget {
  const ledger = new Ledger(limits, GUARD_MS);
  const holding = new Holds();
  let waiting: Waiter[] = [];
  let timer: Timer | undefined;

  /** When this request may pass; a moment that is not in the future: now. */
  function passesAt(operation: OperationId, purpose: Purpose, now: number): number {
    return ledger.freeAt(operation, purpose, holding.endsAt(operation, now));
  }

  function pass(operation: OperationId, purpose: Purpose, now: number): void {
    holding.passed(operation, now);
    ledger.take(operation, purpose, now);
  }

  function letPass(): void {
    timer?.cancel();
    timer = undefined;
    const now = clock.now();
    let next = Number.POSITIVE_INFINITY;
    const left: Waiter[] = [];
    const full = new Set<string>();
    for (const waiter of waiting.toSorted((a, b) => rank[a.purpose] - rank[b.purpose])) {
      const { operation, purpose } = waiter;
      const kind = `${purpose} ${operation}`;
      // Those behind one that cannot pass want the same and cannot either.
      const at = full.has(kind) ? next : passesAt(operation, purpose, now);
      if (at <= now) {
        pass(operation, purpose, now);
        waiter.pass();
      } else {
        full.add(kind);
        left.push(waiter);
        next = Math.min(next, at);
      }
    }
    waiting = left;
    if (next < Number.POSITIVE_INFINITY) timer = clock.setTimer(next - now, letPass);
  }

  return {
    acquire(operation, purpose, signal) {
      const now = clock.now();
      if (waiting.length === 0 && passesAt(operation, purpose, now) <= now) {
        pass(operation, purpose, now);
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        const waiter: Waiter = { operation, purpose, pass: () => done(resolve) };
        const giveUp = () => {
          waiting = waiting.filter((one) => one !== waiter);
          done(() => reject(new Error('given up while waiting for leave to ask')));
        };
        const done = (settle: () => void) => {
          signal?.removeEventListener('abort', giveUp);
          settle();
        };
        // Whoever waits for the same has set the timer, and nothing has become free since.
        const isKnown = waiting.some((one) => one.operation === operation && one.purpose === purpose);
        waiting.push(waiter);
        if (signal?.aborted) return giveUp();
        signal?.addEventListener('abort', giveUp, { once: true });
        if (!isKnown) letPass();
      });
    },
    hold(ms, operation, limit) {
      const now = clock.now();
      holding.begin(ms, operation ?? 'all', now);
      if (limit) ledger.learn(limit, now);
    },
    failed(operation) {
      ledger.fail(operation, clock.now());
    },
    limits,
    ledger: () => ledger.copy(),
    opensAt: (operation, purpose) => passesAt(operation, purpose, clock.now()),
    holds: () => holding.open(clock.now()),
  };
}

/** The order of the purposes is their priority. */
const rank = Object.fromEntries(purposes.map((purpose, index) => [purpose, index])) as Record<Purpose, number>;
