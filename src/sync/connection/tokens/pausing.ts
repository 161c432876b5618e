import { CallError } from '../../../client/callError.ts';
import type { Client } from '../../../client/client.ts';
import type { Clock, Timer } from '../../../kernel/clock.ts';
import { instantOf } from '../../../kernel/dates.ts';
import { messageOf } from '../../../kernel/errors.ts';
import { kindOf } from '../../../store/kind.ts';
import { claimProbe, pause, postponeProbe, readConnection, resume } from '../../tables/connection/state.ts';
import type { MirrorDb } from '../../tables/database.ts';
import type { Logger } from '../../../kernel/log.ts';

/** While only a person can help, one request in this time asks if access is back. */
const PROBE_MS = 15 * 60_000;
/** A token may be refused for a moment only, so the first probes come after these waits. */
const FIRST_PROBES_MS = [10_000, 30_000, 2 * 60_000, 5 * 60_000] as const;
const REFUSED = 401;
/** The longest time to learn that another process has regained access. */
const LOOK_MS = 30_000;

/** The reason why upstream refuses all access: the failure of a call, or the text of an event. */
export type HostTrouble = Pick<Error, 'message'> & { code?: number };

/** Pauses and resumes the reading of a connection. Receiving never stops. */
export interface Pausing {
  isPaused(): boolean;
  /** Pauses reading: the token or the subscription no longer gives access. */
  stopReading(trouble: HostTrouble): Promise<void>;
  /** Asks now if access is back. */
  probe(): Promise<void>;
  /** Resolves when reading is allowed, or when `signal` aborts. @returns true if there was a wait */
  untilActive(signal: AbortSignal): Promise<boolean>;
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

/** Makes the switch that pauses and resumes the reading of a connection, with its probes. */
export function pausing(options: PausingOptions): Pausing {
  const { db, connection, client, clock, log } = options;
  let { paused } = options;
  let timer: Timer | undefined;
  /** The remaining early probes. */
  let soon: number[] = [];
  const waiting = new Set<() => void>();

  const shared = kindOf(db) === 'postgres';

  /** @returns the time of the next probe */
  function later(): string {
    const waitMs = soon.shift() ?? PROBE_MS;
    watch(waitMs);
    return instantOf(clock.now() + waitMs);
  }

  function watch(waitMs: number): void {
    timer?.cancel();
    timer = clock.setTimer(shared ? Math.min(LOOK_MS, waitMs) : waitMs, () => void (shared ? look() : probe()));
  }

  /** Makes a due probe; of several processes only one does. */
  async function look(): Promise<void> {
    try {
      const { state } = await readConnection(db, connection);
      if (state === 'active') return letIn();
      const now = clock.now();
      if (await claimProbe(db, connection, instantOf(now), instantOf(now + (soon[0] ?? PROBE_MS)))) await probe();
      else watch(LOOK_MS);
    } catch (error) {
      log.warn({ connection, problem: messageOf(error) }, 'whether reading is allowed again could not be told');
      later();
    }
  }

  async function probe(): Promise<void> {
    if (!paused) return;
    try {
      await ask();
    } catch (error) {
      log.warn({ connection, problem: messageOf(error) }, 'what a probe has found could not be noted');
      later();
    }
  }

  async function ask(): Promise<void> {
    try {
      await client.call('getAccount', {}, { purpose: 'probe' });
    } catch (error) {
      // Upstream may be down meanwhile, which is not the reason for the pause.
      const reason = error instanceof CallError && error.client === 'host' ? error.message : undefined;
      await postponeProbe(db, connection, reason, later());
      return;
    }
    await resume(db, connection, instantOf(clock.now()));
    log.info({ connection }, 'upstream lets us read again');
    letIn();
  }

  function letIn(): void {
    paused = false;
    timer?.cancel();
    release();
    options.onResume();
  }

  function release(): void {
    for (const resolve of waiting) resolve();
  }

  return {
    isPaused: () => paused,
    async stopReading({ code, message }) {
      if (paused) return;
      paused = true;
      soon = code === REFUSED ? [...FIRST_PROBES_MS] : [];
      log.error({ connection, code, problem: message }, 'upstream refuses us: reading is paused');
      try {
        await pause(db, connection, message, instantOf(clock.now()), later());
      } catch (error) {
        // Reading is paused all the same; a restart without this record meets the same refusal.
        log.error({ connection, problem: messageOf(error) }, 'that reading is paused could not be noted');
      }
    },
    probe,
    async untilActive(signal) {
      if (!paused || signal.aborted) return false;
      await new Promise<void>((resolve) => {
        const go = () => {
          waiting.delete(go);
          signal.removeEventListener('abort', go);
          resolve();
        };
        waiting.add(go);
        signal.addEventListener('abort', go, { once: true });
      });
      return true;
    },
    close() {
      timer?.cancel();
      release();
    },
  };
}
