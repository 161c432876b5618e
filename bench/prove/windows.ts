import type { Purpose } from '../../src/client/gate.ts';
import { type OperationId, operations } from '../../src/contract/index.ts';
import { accountWindows, type LimitWindow, rateClasses } from '../../src/contract/limits.ts';
import type { Budget } from '../../src/sync/budget/gate.ts';
import { watchedGate } from '../../test/support/watchedGate.ts';

export interface Asked {
  operation: OperationId;
  purpose: Purpose;
  at: number;
}

/** How full a window has been at the most. */
export interface Fill {
  bucket: OperationId | 'account';
  seconds: number;
  used: number;
  max: number;
}

/** Notes each request that a gate lets pass. */
export class AskedLog {
  #asked: Asked[] = [];

  /** @param onPassed told of each, too */
  watch(gate: Budget, now: () => number, onPassed: (asked: Asked) => void): Budget {
    return watchedGate(gate, (operation, purpose) => {
      const asked = { operation, purpose, at: now() };
      this.#asked.push(asked);
      onPassed(asked);
    });
  }

  /** Requests so far. */
  get count(): number {
    return this.#asked.length;
  }

  clear(): void {
    this.#asked = [];
  }

  byPurpose(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { purpose } of this.#asked) counts[purpose] = (counts[purpose] ?? 0) + 1;
    return counts;
  }

  /** The fullest window of each length, of the account and of each operation, for these purposes; the fullest first. */
  fills(purposes?: readonly Purpose[]): Fill[] {
    const fullest = new Map<string, Fill>();
    const counts = new Map<string, number>();
    for (const { operation, purpose, at } of this.#asked) {
      if (purposes && !purposes.includes(purpose)) continue;
      const buckets: [Fill['bucket'], readonly LimitWindow[]][] = [
        ['account', accountWindows],
        [operation, rateClasses[operations[operation].rate]],
      ];
      for (const [bucket, windows] of buckets) {
        for (const { seconds, max } of windows) {
          const window = `${bucket} ${seconds}`;
          const cell = `${window} ${Math.floor(at / (seconds * 1_000))}`;
          const used = (counts.get(cell) ?? 0) + 1;
          counts.set(cell, used);
          if (used > (fullest.get(window)?.used ?? 0)) fullest.set(window, { bucket, seconds, used, max });
        }
      }
    }
    return [...fullest.values()].toSorted((a, b) => b.used / b.max - a.used / a.max);
  }
}
