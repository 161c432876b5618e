import { systemClock } from '../../kernel/clock.ts';

/** How long a query waits for another process to let go of the database, all its tries together. */
const PATIENCE_MS = 5_000;

/**
 * Goes on trying what has just failed because another process holds the database. SQLite would wait by itself, but on
 * the one thread, and nobody else would be answered meanwhile.
 * @param rest lets the thread turn for a moment
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

/** Whether another process holds what this one needs. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}
