import { CallError } from '../client/callError.ts';
import type { Client } from '../client/client.ts';
import type { Clock, Timer } from '../kernel/clock.ts';
import { instantOf } from '../kernel/dates.ts';
import { messageOf } from '../kernel/errors.ts';
import { pause, postponeProbe, resume } from './connectionState.ts';
import type { MirrorDb } from './database.ts';
import type { Logger } from '../kernel/log.ts';

/** While only a person can help, one request in this time asks whether somebody has. */
const PROBE_MS = 15 * 60_000;

/** Whether a connection may read. Receiving never stops. */
export interface Pausing {
  isPaused(): boolean;
  /** The token or the subscription no longer opens the door. */
  stopReading(error: CallError): Promise<void>;
  /** Asks now whether it opens again. */
  probe(): Promise<void>;
  /** Resolves when reading is allowed, or when `signal` aborts. */
  untilActive(signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface PausingOptions {
  db: MirrorDb;
  connection: string;
  client: Client;
  clock: Clock;
  log: Logger;
  paused: boolean;
  onResume(): void;
}

export function pausing(options: PausingOptions): Pausing {
  const { db, connection, client, clock, log } = options;
  let { paused } = options;
  let timer: Timer | undefined;
  let waiting: (() => void)[] = [];

  function later(): string {
    timer?.cancel();
    timer = clock.setTimer(PROBE_MS, () => void probe());
    return instantOf(clock.now() + PROBE_MS);
  }

  async function probe(): Promise<void> {
    if (!paused) return;
    try {
      await client.call('getAccount', {}, { purpose: 'probe' });
    } catch (error) {
      await postponeProbe(db, connection, messageOf(error), later());
      return;
    }
    paused = false;
    timer?.cancel();
    await resume(db, connection, instantOf(clock.now()));
    log.info({ connection }, 'upstream lets us read again');
    release();
    options.onResume();
  }

  function release(): void {
    const freed = waiting;
    waiting = [];
    for (const resolve of freed) resolve();
  }

  return {
    isPaused: () => paused,
    async stopReading(error) {
      if (paused) return;
      paused = true;
      log.error({ connection, code: error.code, problem: error.message }, 'upstream refuses us: reading is paused');
      await pause(db, connection, error.message, instantOf(clock.now()), later());
    },
    probe,
    async untilActive(signal) {
      if (!paused || signal.aborted) return;
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    },
    close() {
      timer?.cancel();
      release();
    },
  };
}
