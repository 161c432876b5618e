import { execFile } from 'node:child_process';
import type { Supervision } from '../config/supervision.ts';
import type { Clock, Timer } from '../kernel/clock.ts';

/** Who has started the service and wants to know how it is. */
export interface Supervisor {
  /** The service serves. */
  ready(status: string): void;
  /** The service stops serving and begins again in the same process. */
  restarting(status: string): void;
  /** The service takes no more work and will end. */
  stopping(status: string): void;
  /** Ends the signs of life, after what has been said has been heard. */
  close(): Promise<void>;
}

const PROGRAM = 'systemd-notify';
/** A start may migrate millions of rows: while the loop turns, systemd is asked for more time. */
const EXTENSION_MS = 10 * 60_000;
const EXTEND_EVERY_MS = 60_000;
/** Parts of its limit after which the watchdog gets a sign of life. */
const SIGNS_A_LIMIT = 3;
const SPEAKS_WITHIN_MS = 10_000;

const nobody: Supervisor = { ready: () => {}, restarting: () => {}, stopping: () => {}, close: async () => {} };

/**
 * Tells systemd when the service starts, serves and stops, and by each sign of life that its event loop turns. Node has
 * no datagram sockets of Unix, so systemd's own program speaks.
 * @param told who wants to be told, undefined for nobody
 * @param warn is called once, with what is wrong, if that program does not do it
 */
export function supervisor(told: Supervision | undefined, clock: Clock, warn: (problem: string) => void): Supervisor {
  if (!told) return nobody;
  let last = Promise.resolve();
  let hasWarned = false;
  const say = (...said: string[]) => {
    const words = said.map((word) => word.replaceAll(/\s+/g, ' '));
    last = last
      .then(() => spoken(words))
      .then((problem) => {
        if (problem === undefined || hasWarned) return;
        hasWarned = true;
        warn(`systemd cannot be notified: ${problem}`);
      });
  };
  const timers = new Set<{ stop(): void }>();
  const repeat = (ms: number, work: () => void) => {
    let timer: Timer;
    const turn = () => {
      work();
      timer = clock.setTimer(ms, turn);
    };
    turn();
    const repeated = { stop: () => timer.cancel() };
    timers.add(repeated);
    return repeated;
  };
  if (told.watchdogMs !== undefined) repeat(told.watchdogMs / SIGNS_A_LIMIT, () => say('WATCHDOG=1'));
  const starting = repeat(EXTEND_EVERY_MS, () => say(`EXTEND_TIMEOUT_USEC=${EXTENSION_MS * 1_000}`));
  return {
    ready(status) {
      starting.stop();
      say('READY=1', `STATUS=${status}`);
    },
    restarting: (status) => say('RELOADING=1', `STATUS=${status}`),
    stopping: (status) => say('STOPPING=1', `STATUS=${status}`),
    async close() {
      for (const timer of timers) timer.stop();
      await last;
    },
  };
}

/** @returns what is wrong if nobody has heard it */
function spoken(words: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(PROGRAM, [...words], { timeout: SPEAKS_WITHIN_MS }, (error, _stdout, stderr) => {
      resolve(error ? stderr.trim().split('\n')[0] || error.message : undefined);
    });
  });
}
