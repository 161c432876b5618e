import type { OperationId } from '../contract/index.ts';

/** Why a request is made; also its priority, first the most urgent. */
export const purposes = [
  'reply',
  'setup',
  'probe',
  'lookup',
  'reconcile',
  'reconcile_slow',
  'scan',
  'catch_up',
  'verify',
  'backfill',
] as const;
export type Purpose = (typeof purposes)[number];

/** However long the other side asks us to wait, one request in this time asks whether it still holds. */
export const LONGEST_HOLD_MS = 60 * 60_000;

/** Who may ask now. One gate per upstream account; every request passes it before it is sent. */
export interface Gate {
  /** Resolves when a request of this operation may be sent. Rejects when `signal` aborts. */
  acquire(operation: OperationId, purpose: Purpose, signal?: AbortSignal): Promise<void>;
  /**
   * Sends nothing for `ms` milliseconds: the other side said so (429). After {@link LONGEST_HOLD_MS} one request asks.
   * @param operation the only one concerned; left out: all of them
   * @param limit which one was met, where the other side named it
   */
  hold(ms: number, operation?: OperationId, limit?: MetLimit): void;
  /** A request was answered with a code that counts against the quota of failures. */
  failed(operation: OperationId): void;
}

/** A limit that a request has met. */
export interface MetLimit {
  operation: OperationId;
  /** `X-RateLimit-Scope`. */
  scope: string;
  /** The length of the window, in seconds (`X-RateLimit-Window`). */
  seconds: number;
}
