import { type Gate, type Purpose } from '../../client/gate.ts';
import { type OperationId, operations } from '../../contract/index.ts';
import { accountWindows, type LimitWindow, rateClasses } from '../../contract/limits.ts';
import type { Clock, Timer } from '../../kernel/clock.ts';

/** The part of each window that walks leave to reads that somebody waits for. */
const RESERVE = 0.1;
const patient: ReadonlySet<Purpose> = new Set(['sweep', 'walk', 'catch_up', 'verify', 'backfill']);

/** Lets everything pass but what was told to wait: for upstreams without limits. */
export function openGate(clock: Clock): Gate {
  return gateOver(clock, [], () => []);
}

/**
 * Keeps within the limits that v3 describes: counts each fixed window of the account and of the operation
 * and lets nobody pass who would exceed one. What other programs of the account use, it learns from 429s.
 */
export function describedLimitsGate(clock: Clock): Gate {
  return gateOver(clock, accountWindows, (operation) => rateClasses[operations[operation].rate]);
}

interface Counter {
  window: LimitWindow;
  start: number;
  used: number;
}

interface Waiter {
  operation: OperationId;
  purpose: Purpose;
  pass(): void;
}

function gateOver(
  clock: Clock,
  account: readonly LimitWindow[],
  windowsOf: (operation: OperationId) => readonly LimitWindow[],
): Gate {
  const shared = account.map(startCounter);
  const own = new Map<OperationId, Counter[]>();
  const heldUntil = new Map<OperationId | 'all', number>();
  let waiting: Waiter[] = [];
  let timer: Timer | undefined;

  function countersOf(operation: OperationId): Counter[] {
    let counters = own.get(operation);
    if (!counters) own.set(operation, (counters = windowsOf(operation).map(startCounter)));
    return [...shared, ...counters];
  }

  /** When this request may pass; a moment that is not in the future: now. */
  function passesAt(operation: OperationId, purpose: Purpose, now: number): number {
    let at = Math.max(heldUntil.get('all') ?? 0, heldUntil.get(operation) ?? 0);
    for (const counter of countersOf(operation)) at = Math.max(at, freeAt(counter, purpose, now));
    return at;
  }

  function take(operation: OperationId, now: number): void {
    for (const counter of countersOf(operation)) use(counter, now);
  }

  function letPass(): void {
    timer?.cancel();
    timer = undefined;
    const now = clock.now();
    let next = Number.POSITIVE_INFINITY;
    const left: Waiter[] = [];
    for (const waiter of waiting.toSorted((a, b) => rank(a.purpose) - rank(b.purpose))) {
      const at = passesAt(waiter.operation, waiter.purpose, now);
      if (at <= now) {
        take(waiter.operation, now);
        waiter.pass();
      } else {
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
        take(operation, now);
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
        waiting.push(waiter);
        if (signal?.aborted) return giveUp();
        signal?.addEventListener('abort', giveUp, { once: true });
        letPass();
      });
    },
    failed() {},
    hold(ms, operation) {
      const key = operation ?? 'all';
      heldUntil.set(key, Math.max(heldUntil.get(key) ?? 0, clock.now() + ms));
    },
  };
}

function rank(purpose: Purpose): number {
  return patient.has(purpose) ? 1 : 0;
}

function startCounter(window: LimitWindow): Counter {
  return { window, start: 0, used: 0 };
}

function windowStart(window: LimitWindow, now: number): number {
  const length = window.seconds * 1_000;
  return Math.floor(now / length) * length;
}

/** When the window has room again for a request with this purpose. */
function freeAt({ window, start, used }: Counter, purpose: Purpose, now: number): number {
  const current = windowStart(window, now);
  if (current !== start) return now;
  const most = patient.has(purpose) ? Math.floor(window.max * (1 - RESERVE)) : window.max;
  return used < most ? now : current + window.seconds * 1_000;
}

function use(counter: Counter, now: number): void {
  const current = windowStart(counter.window, now);
  if (current !== counter.start) {
    counter.start = current;
    counter.used = 0;
  }
  counter.used += 1;
}
