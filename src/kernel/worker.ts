import type { Clock, Timer } from './clock.ts';
import { messageOf } from './errors.ts';
import type { Logger } from './log.ts';

/** Work that is looked for again and again. */
export interface Work {
  clock: Clock;
  log: Logger;
  /** What is done, in the log: `${name} failed`. */
  name: string;
  /** Further fields of log lines. */
  fields?: Readonly<Record<string, unknown>>;
  /** Milliseconds from the end of a round to the next one when nothing wakes the worker. */
  everyMs: number;
  /** Milliseconds until a round that has failed is tried again; default `everyMs`. */
  retryMs?: number;
  /** Milliseconds from the start to the first round; default 0, at once. */
  firstMs?: number;
  /** Runs once before the first round. */
  prepare?(): Promise<void>;
  /**
   * Does what is due. It ends early when the signal aborts.
   * @returns milliseconds until the next round, 0 for one right after this one; nothing: `everyMs`
   */
  round(signal: AbortSignal): Promise<number | void>;
}

/**
 * Does work in rounds, one at a time: at the start, when it is woken, and by the clock. The state of the work is in the
 * database, so a round that fails or is cut off costs nothing but time.
 */
export class Worker {
  readonly #work: Work;
  readonly #stopping = new AbortController();
  #started = false;
  #again = false;
  #running: Promise<void> | undefined;
  #timer: Timer | undefined;

  constructor(work: Work) {
    this.#work = work;
  }

  /** True while a round is in progress. */
  get busy(): boolean {
    return this.#running !== undefined;
  }

  /** Begins the rounds. Resolves when they are prepared. */
  async start(): Promise<void> {
    const { prepare, firstMs = 0 } = this.#work;
    if (prepare) await prepare();
    this.#started = true;
    if (firstMs === 0) this.wake();
    else this.#wait(firstMs);
  }

  /** Looks for work now, or once more when a round is in progress. Cheap to call often; ignored before the start. */
  wake(): void {
    if (!this.#started || this.#stopping.signal.aborted) return;
    this.#again = true;
    this.#timer?.cancel();
    this.#running ??= this.#run();
  }

  /** Resolves when no round is in progress. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** Begins no further round. Resolves when the round in progress has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#timer?.cancel();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let waitMs = 0;
    do {
      this.#again = false;
      waitMs = await this.#round(signal);
    } while ((this.#again || waitMs === 0) && !signal.aborted);
    this.#running = undefined;
    this.#wait(waitMs);
  }

  #wait(ms: number): void {
    if (!this.#stopping.signal.aborted) this.#timer = this.#work.clock.setTimer(ms, () => this.wake());
  }

  async #round(signal: AbortSignal): Promise<number> {
    const { log, name, fields, everyMs, retryMs = everyMs } = this.#work;
    try {
      return (await this.#work.round(signal)) ?? everyMs;
    } catch (error) {
      if (!signal.aborted) {
        log.error({ ...fields, err: error, problem: messageOf(error) }, `${name} failed; tried again shortly`);
      }
      return retryMs;
    }
  }
}
