import { type Call, type OperationId, operations } from '../contract/index.ts';
import { type Clock, sleep } from '../kernel/clock.ts';
import type { Random } from '../kernel/random.ts';
import { CallError } from './callError.ts';
import type { Answer, CallOptions, Client } from './client.ts';
import { LONGEST_HOLD_MS } from './gate.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 5 * 60_000;
/** Jitter only lengthens a wait: no request leaves before the time that the other side named. */
const JITTER = 0.25;

interface RetryOptions {
  clock: Clock;
  random: Random;
  /** Attempts in total; a long-running scan may have many. */
  attempts: number;
  /** Milliseconds; if the other side demands a longer wait, the failure is thrown at once. Absent for any wait. */
  mostWaitMs?: number;
  /** Runs before each wait, for the log and for status. */
  onRetry?: (error: CallError, waitMs: number) => void;
}

/**
 * Returns a client that retries reads: exponential, 0 to +25 % jitter, at most 5 minutes, never before Retry-After
 * ends. Failures that need a correction or a person are thrown at once, and so is every failed write, because it may
 * have happened.
 */
export function retrying(client: Client, retry: RetryOptions): Client {
  return {
    async call<Id extends OperationId>(operation: Id, input: Call<Id>, options: CallOptions): Promise<Answer<Id>> {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await client.call(operation, input, options);
        } catch (error) {
          if (!mayRetry(error, operation, options, attempt, retry.attempts)) throw error;
          if ((error.retryAfterMs ?? 0) > (retry.mostWaitMs ?? Number.POSITIVE_INFINITY)) throw error;
          const waitMs = waitBefore(attempt, error.retryAfterMs, retry.random);
          retry.onRetry?.(error, waitMs);
          await sleep(retry.clock, waitMs, options.signal);
          if (options.signal?.aborted) throw error;
        }
      }
    },
  };
}

function mayRetry(
  error: unknown,
  operation: OperationId,
  options: CallOptions,
  attempt: number,
  attempts: number,
): error is CallError {
  if (!(error instanceof CallError) || options.signal?.aborted) return false;
  if (operations[operation].scope !== 'read' || attempt >= attempts) return false;
  return error.client === 'retry' || error.client === 'wait';
}

/** Returns the milliseconds to wait after the given failed attempt (1 is the first). */
export function waitBefore(attempt: number, retryAfterMs: number | undefined, random: Random): number {
  const backoff = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
  return Math.ceil(Math.max(backoff, Math.min(retryAfterMs ?? 0, LONGEST_HOLD_MS)) * (1 + JITTER * random.fraction()));
}
