/** A handle of a timer that fires once; cancelling twice is harmless. */
export interface Timer {
  cancel(): void;
}

/**
 * The source of time. Everything inside the process edge takes a clock as an argument, so that tests and the simulation
 * control it.
 */
export interface Clock {
  /** Returns wall-clock time in milliseconds since the epoch (UTC). It may jump. */
  now(): number;
  /** Returns milliseconds that only grow; for intervals and ages. */
  monotonic(): number;
  /** Calls `fn` once after `ms` milliseconds. Does not keep the process alive. */
  setTimer(ms: number, fn: () => void): Timer;
}

/** What Node can wait at once, 24 days; of anything longer it makes one millisecond. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(ms, fn) {
    let handle: NodeJS.Timeout;
    const wait = (left: number) => {
      const stretch = Math.min(left, LONGEST_TIMEOUT_MS);
      handle = setTimeout(() => (left > stretch ? wait(left - stretch) : fn()), stretch);
      handle.unref();
    };
    wait(ms);
    return { cancel: () => clearTimeout(handle) };
  },
};

/** Resolves after `ms` milliseconds of `clock`, or at once when `signal` aborts. Never rejects. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = () => {
      timer.cancel();
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timer = clock.setTimer(ms, wake);
    signal?.addEventListener('abort', wake, { once: true });
  });
}

/** Resolves after `ms` milliseconds, or at once when `signal` aborts; keeps an otherwise idle process alive. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(handle);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const handle = setTimeout(wake, signal.aborted ? 0 : ms);
    signal.addEventListener('abort', wake, { once: true });
  });
}

/** Milliseconds after which continuous work yields. */
const LONGEST_STRETCH_MS = 10;

/**
 * Returns a function to call after each piece of work; it yields to the event loop if the work has held it for long.
 */
export function breather(): () => Promise<void> {
  let began = systemClock.monotonic();
  return async () => {
    if (systemClock.monotonic() - began < LONGEST_STRETCH_MS) return;
    await turn();
    began = systemClock.monotonic();
  };
}

/** Lets everything else that waits on the event loop run once. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
