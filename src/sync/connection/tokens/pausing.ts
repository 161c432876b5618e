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
type HostTrouble = Pick<Error, 'message'> & { code?: number };

interface PausingOptions {
  db: MirrorDb;
  connection: string;
  client: Client;
  clock: Clock;
  log: Logger;
  paused: boolean;
  onResume(): void;
}

/** Pauses and resumes the reading of a connection. Receiving never stops. */
export class Pausing {
  readonly #options: PausingOptions;
  #isPaused: boolean;
  #timer: Timer | undefined;
  /** The remaining early probes. */
  #soon: number[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #shared: boolean;

  constructor(options: PausingOptions) {
    this.#options = options;
    this.#isPaused = options.paused;
    this.#shared = kindOf(options.db) === 'postgres';
  }

  isPaused(): boolean {
    return this.#isPaused;
  }

  /** Pauses reading: the token or the subscription no longer gives access. */
  async stopReading({ code, message }: HostTrouble): Promise<void> {
    const { log, connection, db, clock } = this.#options;
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#soon = code === REFUSED ? [...FIRST_PROBES_MS] : [];
    log.error({ connection, code, problem: message }, 'upstream refuses us: reading is paused');
    try {
      await pause(db, connection, message, instantOf(clock.now()), this.#later());
    } catch (error) {
      // Reading is paused all the same; a restart without this record meets the same refusal.
      log.error({ connection, problem: messageOf(error) }, 'that reading is paused could not be noted');
    }
  }

  /** Resolves when reading is allowed, or when `signal` aborts. @returns true if there was a wait */
  async untilActive(signal: AbortSignal): Promise<boolean> {
    if (!this.#isPaused || signal.aborted) return false;
    await new Promise<void>((resolve) => {
      const go = () => {
        this.#waiting.delete(go);
        signal.removeEventListener('abort', go);
        resolve();
      };
      this.#waiting.add(go);
      signal.addEventListener('abort', go, { once: true });
    });
    return true;
  }

  close(): void {
    this.#timer?.cancel();
    this.#release();
  }

  /** Asks now if access is back. */
  async probe(): Promise<void> {
    const { log, connection } = this.#options;
    if (!this.#isPaused) return;
    try {
      await this.#ask();
    } catch (error) {
      log.warn({ connection, problem: messageOf(error) }, 'what a probe has found could not be noted');
      this.#later();
    }
  }

  /** @returns the time of the next probe */
  #later(): string {
    const { clock } = this.#options;
    const waitMs = this.#soon.shift() ?? PROBE_MS;
    this.#watch(waitMs);
    return instantOf(clock.now() + waitMs);
  }

  #watch(waitMs: number): void {
    const { clock } = this.#options;
    this.#timer?.cancel();
    this.#timer = clock.setTimer(
      this.#shared ? Math.min(LOOK_MS, waitMs) : waitMs,
      () => void (this.#shared ? this.#look() : this.probe()),
    );
  }

  /** Makes a due probe; of several processes only one does. */
  async #look(): Promise<void> {
    const { db, connection, clock, log } = this.#options;
    try {
      const { state } = await readConnection(db, connection);
      if (state === 'active') return this.#letIn();
      const now = clock.now();
      if (await claimProbe(db, connection, instantOf(now), instantOf(now + (this.#soon[0] ?? PROBE_MS))))
        await this.probe();
      else this.#watch(LOOK_MS);
    } catch (error) {
      log.warn({ connection, problem: messageOf(error) }, 'it could not be checked if reading is allowed again');
      this.#later();
    }
  }

  async #ask(): Promise<void> {
    const { client, db, connection, clock, log } = this.#options;
    try {
      await client.call('getAccount', {}, { purpose: 'probe' });
    } catch (error) {
      // Upstream may be down meanwhile, which is not the reason for the pause.
      const reason = error instanceof CallError && error.client === 'host' ? error.message : undefined;
      await postponeProbe(db, connection, reason, this.#later());
      return;
    }
    await resume(db, connection, instantOf(clock.now()));
    log.info({ connection }, 'upstream lets us read again');
    this.#letIn();
  }

  #letIn(): void {
    this.#isPaused = false;
    this.#timer?.cancel();
    this.#release();
    this.#options.onResume();
  }

  #release(): void {
    for (const resolve of this.#waiting) resolve();
  }
}
