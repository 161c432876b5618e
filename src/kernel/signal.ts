import type { Clock } from './clock.ts';

/** Wakes all waiters. A ring without waiters is lost: look for work first, then wait. */
export class Signal {
  readonly #waiting = new Set<() => void>();

  ring(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Resolves at the next ring, after `ms` milliseconds of `clock`, or when `signal` aborts; leaves nothing behind. */
  wait(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        timer.cancel();
        signal?.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = clock.setTimer(ms, wake);
      signal?.addEventListener('abort', wake, { once: true });
      this.#waiting.add(wake);
    });
  }
}
