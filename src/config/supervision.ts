import type { Environment } from './layers.ts';

/** What systemd has told this process of itself. */
export interface Supervision {
  /** Milliseconds within which it wants a sign of life, again and again; undefined if it does not watch. */
  readonly watchdogMs: number | undefined;
}

const MICROSECONDS = /^[1-9]\d{0,15}$/;

/**
 * Reads who supervises this process (sd_notify(3), sd_watchdog_enabled(3)).
 * @returns undefined if nobody wants to be notified
 */
export function supervisionIn(environment: Environment): Supervision | undefined {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: limit = '', WATCHDOG_PID: watched } = environment;
  if (!socket) return undefined;
  const isWatched = MICROSECONDS.test(limit) && (!watched || watched === String(process.pid));
  return { watchdogMs: isWatched ? Number(limit) / 1_000 : undefined };
}
