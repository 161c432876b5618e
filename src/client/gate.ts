import type { OperationId } from '../contract/index.ts';

/** The purpose of a request, which is also its priority; the most urgent comes first. */
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

/** Milliseconds after which one request tests a hold, however long the other side asked us to wait. */
export const LONGEST_HOLD_MS = 60 * 60_000;

/** Decides when requests may leave. One gate per upstream account; every request passes it first. */
export interface Gate {
  /** Resolves when a request of this operation may be sent. Rejects when `signal` aborts. */
  acquire(operation: OperationId, purpose: Purpose, signal?: AbortSignal): Promise<void>;
  /**
   * Sends nothing for `ms` milliseconds, as the other side demanded (429). After {@link LONGEST_HOLD_MS} one request
   * tests the hold.
   * @param operation the only one concerned; absent for all
   * @param limit the limit, if the other side named it
   */
  hold(ms: number, operation?: OperationId, limit?: MetLimit): void;
  /** Reports an answer whose code counts against the quota of failures. */
  failed(operation: OperationId): void;
}

/** A limit that a request has reached. */
export interface MetLimit {
  operation: OperationId;
  /** `X-RateLimit-Scope`. */
  scope: string;
  /** The length of the window, in seconds (`X-RateLimit-Window`). */
  seconds: number;
}
