import type { Purpose } from '../../src/client/gate.ts';
import type { OperationId } from '../../src/contract/index.ts';
import type { Budget } from '../../src/sync/budget/gate.ts';

/** The gate, with a call for each request that it lets pass. */
export function watchedGate(gate: Budget, onPassed: (operation: OperationId, purpose: Purpose) => void): Budget {
  return {
    limits: gate.limits,
    async acquire(operation, purpose, signal) {
      await gate.acquire(operation, purpose, signal);
      onPassed(operation, purpose);
    },
    hold: (ms, operation, limit) => gate.hold(ms, operation, limit),
    failed: (operation) => gate.failed(operation),
    opensAt: (operation, purpose) => gate.opensAt(operation, purpose),
    holds: () => gate.holds(),
    ledger: () => gate.ledger(),
  };
}
