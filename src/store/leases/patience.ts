import { systemClock } from '../../kernel/clock.ts';

/** Milliseconds that a query waits for another process to release the database, all attempts together. */
const PATIENCE_MS = 5_000;

/**
 * Repeats work that failed because another process holds the database. SQLite could wait itself, but on the one thread,
 * so all other requests would wait too.
 * @param rest yields the thread for a moment
 */
export async function retryBusy<T>(
  work: () => T,
  rest: () => Promise<void>,
  monotonic: () => number = systemClock.monotonic,
): Promise<T> {
  const deadline = monotonic() + PATIENCE_MS;
  for (;;) {
    await rest();
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || monotonic() >= deadline) throw error;
    }
  }
}

/** Returns true if another process holds what this one needs. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}
