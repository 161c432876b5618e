import type { Clock, Timer } from '../kernel/clock.ts';
import { messageOf } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';

interface RepeatingOptions {
  clock: Clock;
  log: Logger;
  /** What it is, for the log. */
  name: string;
  /** The pause between two rounds. */
  everyMs: number;
  /** One round; stops early when `isStopped`. */
  round(isStopped: () => boolean): Promise<void>;
}

/** Work that looks for itself whether there is something to do: at the start, and again after each pause. */
export class Repeating {
  readonly #options: RepeatingOptions;
  #running: Promise<void> | undefined;
  #timer: Timer | undefined;
  #stopped = true;

  constructor(options: RepeatingOptions) {
    this.#options = options;
  }

  /** True while a round is under way. */
  get busy(): boolean {
    return this.#running !== undefined;
  }

  start(): void {
    this.#stopped = false;
    this.#begin();
  }

  /** Resolves when the round under way has ended. */
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
