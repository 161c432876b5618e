import type { OperationId } from '../contract/index.ts';
import type { Purpose } from './gate.ts';

/** Counts sent requests by purpose and operation; for people only. */
export interface Tally {
  add(operation: OperationId, purpose: Purpose): void;
  /** Returns the counts so far, keyed `purpose/operation`. */
  counts(): Readonly<Record<string, number>>;
  total(purpose?: Purpose): number;
}

export function startTally(): Tally {
  const counts: Record<string, number> = {};
  return {
    add(operation, purpose) {
      const key = `${purpose}/${operation}`;
      counts[key] = (counts[key] ?? 0) + 1;
    },
    counts: () => ({ ...counts }),
    total(purpose) {
      let sum = 0;
      for (const [key, count] of Object.entries(counts)) {
        if (purpose === undefined || key.startsWith(`${purpose}/`)) sum += count;
      }
      return sum;
    },
  };
}
