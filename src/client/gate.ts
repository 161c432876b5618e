import type { OperationId } from '../contract/index.ts';

/** Why a request is made; also its priority, first the most urgent. */
export const purposes = ['setup', 'lookup', 'probe', 'walk', 'catch_up', 'verify'] as const;
export type Purpose = (typeof purposes)[number];

/** Who may ask now. One gate per upstream account; every request passes it before it is sent. */
export interface Gate {
  /** Resolves when a request of this operation may be sent. Rejects when `signal` aborts. */
  acquire(operation: OperationId, purpose: Purpose, signal?: AbortSignal): Promise<void>;
  /**
   * Sends nothing for `ms` milliseconds: the other side said so (429).
   * @param operation the only one concerned; left out: all of them
   */
  hold(ms: number, operation?: OperationId): void;
}
