import type { Clock, Timer } from '../kernel/clock.ts';
import { messageOf } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';

interface RepeatingOptions {
  clock: Clock;
  log: Logger;
  /** Name in the log. */
  name: string;
  /** Milliseconds between two rounds. */
  everyMs: number;
  /** Runs one round. It stops early when `isStopped`. */
  round(isStopped: () => boolean): Promise<void>;
}

/** Work that looks for tasks by itself, at the start and after each pause. */
export class Repeating {
  readonly #options: RepeatingOptions;
  #running: Promise<void> | undefined;
  #timer: Timer | undefined;
  #stopped = true;

  constructor(options: RepeatingOptions) {
    this.#options = options;
  }

  /** True while a round is in progress. */
  get busy(): boolean {
    return this.#running !== undefined;
  }

  start(): void {
    this.#stopped = false;
    this.#begin();
  }

  /** Resolves when the round in progress has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#running;
  }

  #begin(): void {
    this.#running = this.#round().finally(() => {
      this.#running = undefined;
      const { clock, everyMs } = this.#options;
      if (!this.#stopped) this.#timer = clock.setTimer(everyMs, () => this.#begin());
    });
  }

  async #round(): Promise<void> {
    const { log, name, round } = this.#options;
    try {
      await round(() => this.#stopped);
    } catch (error) {
      log.error({ err: error, problem: messageOf(error) }, `${name} failed; trying again shortly`);
    }
  }
}
