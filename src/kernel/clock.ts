/** A handle of something that will fire once; cancelling twice is harmless. */
export interface Timer {
  cancel(): void;
}

/**
 * Where time comes from. Everything outside the process edge takes a clock as an argument, so that
 * tests and the simulation drive it.
 */
export interface Clock {
  /** Wall-clock time in milliseconds since the epoch (UTC). May jump. */
  now(): number;
  /** Milliseconds that only ever grow; for intervals and staleness. */
  monotonic(): number;
  /** Calls `fn` once after `ms` milliseconds. Does not keep the process alive. */
  setTimer(ms: number, fn: () => void): Timer;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(ms, fn) {
    const handle = setTimeout(fn, ms);
    handle.unref();
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

/** Resolves after `ms` milliseconds, or at once when `signal` aborts; keeps alive a process that does nothing else. */
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

/** After so long, work that goes on and on lets others have their turn. */
const LONGEST_STRETCH_MS = 10;

/** For work in pieces: what it returns is called after each, and lets the event loop turn when it was kept for long. */
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
