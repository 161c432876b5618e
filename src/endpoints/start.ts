import { instantOf } from '../kernel/dates.ts';
import { type Work, Worker } from '../kernel/worker.ts';
import { readFact } from '../sync/tables/connection/facts.ts';
import type { EndpointsContext } from './context.ts';
import { fanOut } from './fanOut.ts';
import { Lane } from './lane.ts';
import { allEndpoints, dropClaims, pruneMessages } from './table.ts';

/** Milliseconds for which another process's work may go unnoticed. Within the process a signal is faster. */
const LOOK_MS = 2_000;
const TROUBLE_MS = 5_000;
const FEED_WAIT_MS = 60_000;
/** Days for which sent messages are stored. */
const LOG_DAYS = 30;
const PRUNE_MS = 60 * 60_000;
const PRUNE_ROWS = 200;

/**
 * The delivery to the endpoints of one connection: follows the feed and sends its changes. The state of its work is
 * stored, so a stop loses nothing.
 */
export class Endpoints {
  readonly #context: EndpointsContext;
  readonly #abort = new AbortController();
  readonly #lanes = new Map<string, Lane>();
  readonly #sending: Worker;
  readonly #workers: readonly Worker[];

  private constructor(context: EndpointsContext) {
    this.#context = context;
    const { connection, clock, log } = context;
    const worker = (work: Pick<Work, 'name' | 'everyMs' | 'round'>) =>
      new Worker({ ...work, clock, log, retryMs: TROUBLE_MS, fields: { connection } });
    this.#sending = worker({ name: 'sending to endpoints', everyMs: LOOK_MS, round: () => this.#send() });
    this.#workers = [
      this.#sending,
      worker({ name: 'queueing messages to endpoints', everyMs: FEED_WAIT_MS, round: () => this.#queue() }),
      worker({ name: 'deleting old messages to endpoints', everyMs: PRUNE_MS, round: () => this.#prune() }),
    ];
  }

  /** Starts the delivery. */
  static async start(context: EndpointsContext): Promise<Endpoints> {
    const endpoints = new Endpoints(context);
    const { store, connection } = context;
    if (store.kind === 'sqlite') await dropClaims(store.db, connection);
    for (const one of endpoints.#workers) await one.start();
    return endpoints;
  }

  /** True while a request is on its way. */
  get busy(): boolean {
    return [...this.#lanes.values()].some((lane) => lane.busy);
  }

  /** Announces a new message or a changed endpoint. */
  wake(): void {
    this.#sending.wake();
  }

  /** Ends all work; waits for requests that have left. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await Promise.all(this.#workers.map((one) => one.stop()));
    await Promise.all([...this.#lanes.values()].map((lane) => lane.stop()));
  }

  /**
   * Sends due messages.
   * @returns milliseconds until the next round
   */
  async #send(): Promise<number> {
    const { clock } = this.#context;
    const next = await this.#sendDue();
    return Math.min(LOOK_MS, Math.max(1, next - clock.now()));
  }

  /** @returns epoch milliseconds of the next work */
  async #sendDue(): Promise<number> {
    const { store, connection, clock } = this.#context;
    // After a restore, earlier messages are unknown; delivery waits for a person.
    if (await readFact(store.db, connection, 'automations_disarmed')) return Number.POSITIVE_INFINITY;
    let next = Number.POSITIVE_INFINITY;
    for (const { endpoint_id, state } of await allEndpoints(store.db, connection)) {
      if (state !== 'active' || this.#abort.signal.aborted) continue;
      const lane = this.#lane(endpoint_id);
      await lane.pump();
      next = Math.min(next, (await lane.nextAt()) ?? Number.POSITIVE_INFINITY);
    }
    // A due message that is not on its way waits for an earlier one.
    return next <= clock.now() ? clock.now() + LOOK_MS : next;
  }

  #lane(endpointId: string): Lane {
    const known = this.#lanes.get(endpointId);
    if (known) return known;
    const lane = new Lane(this.#context, endpointId, () => this.wake());
    this.#lanes.set(endpointId, lane);
    return lane;
  }

  /** Makes messages of all new changes, then waits for the next one. */
  async #queue(): Promise<number> {
    const { feed } = this.#context;
    const { signal } = this.#abort;
    const head = await feed.head();
    for (let more = true; more && !signal.aborted;) {
      const round = await fanOut(this.#context);
      more = round.more;
      if (round.made > 0) this.wake();
    }
    await feed.wait(head, 1, FEED_WAIT_MS, signal);
    return 0;
  }

  async #prune(): Promise<number> {
    const { store, connection, clock } = this.#context;
    const before = instantOf(clock.now() - LOG_DAYS * 24 * 60 * 60_000);
    const gone = await store.transaction((trx) => pruneMessages(trx, { connection, before, limit: PRUNE_ROWS }));
    return gone < PRUNE_ROWS ? PRUNE_MS : 0;
  }
}
