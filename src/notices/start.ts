import { instantOf } from '../kernel/dates.ts';
import { type Work, Worker } from '../kernel/worker.ts';
import type { NoticesContext } from './context.ts';
import { sendWaiting } from './sendWaiting.ts';
import { dropPlaceClaims, placesOf, pruneNotices } from './table.ts';
import { tellDay } from './tellDay.ts';
import { watchAlarms } from './watchAlarms.ts';

const LOOK_MS = 60_000;
const TROUBLE_MS = 10_000;
/** Days for which it is remembered what was told. */
const LOG_DAYS = 30;
const PRUNE_MS = 60 * 60_000;
const PRUNE_ROWS = 200;

/** Tells people, for one connection. The state of its work is stored, so a stop loses nothing. */
export class Notices {
  readonly #context: NoticesContext;
  readonly #sending: Worker;
  readonly #workers: readonly Worker[];

  constructor(context: NoticesContext) {
    this.#context = context;
    const { connection, clock, log } = context;
    const worker = (work: Pick<Work, 'name' | 'everyMs' | 'firstMs' | 'round'>) =>
      new Worker({ ...work, clock, log, retryMs: TROUBLE_MS, fields: { connection } });
    this.#sending = worker({ name: 'sending notices', everyMs: LOOK_MS, round: (signal) => this.#send(signal) });
    this.#workers = [
      this.#sending,
      // What troubles a start is over a minute later.
      worker({ name: 'looking for notices', everyMs: LOOK_MS, firstMs: LOOK_MS, round: () => this.#look() }),
      worker({ name: 'deleting old notices', everyMs: PRUNE_MS, firstMs: LOOK_MS, round: () => this.#prune() }),
    ];
  }

  async start(): Promise<void> {
    const { store, connection } = this.#context;
    if (store.kind === 'sqlite') await dropPlaceClaims(store.db, connection);
    for (const one of this.#workers) await one.start();
  }

  /** Announces a new notice or a changed place. */
  wake(): void {
    this.#sending.wake();
  }

  /** Ends all work; waits for what has left. */
  async stop(): Promise<void> {
    await Promise.all(this.#workers.map((one) => one.stop()));
  }

  async #send(signal: AbortSignal): Promise<number> {
    const nextMs = await sendWaiting(this.#context, signal);
    return Math.min(LOOK_MS, Math.max(1_000, nextMs - this.#context.clock.now()));
  }

  async #look(): Promise<void> {
    const { store, connection } = this.#context;
    if ((await placesOf(store.db, connection)).length === 0) return;
    const alarmed = await watchAlarms(this.#context);
    const told = await tellDay(this.#context);
    if (alarmed || told) this.wake();
  }

  async #prune(): Promise<number> {
    const { store, connection, clock } = this.#context;
    const before = instantOf(clock.now() - LOG_DAYS * 24 * 60 * 60_000);
    const gone = await store.transaction((trx) => pruneNotices(trx, { connection, before, limit: PRUNE_ROWS }));
    return gone < PRUNE_ROWS ? PRUNE_MS : 0;
  }
}
