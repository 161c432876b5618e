import { instantOf } from '../kernel/dates.ts';
import { type Work, Worker } from '../kernel/worker.ts';
import { readFact } from '../sync/tables/connection/facts.ts';
import type { Telling } from './context.ts';
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

/** The running delivery to the endpoints of one connection. */
export interface Endpoints {
  /** Announces a new message or a changed endpoint. */
  wake(): void;
  /** True while a request is on its way. */
  readonly busy: boolean;
  /** Ends all work; waits for requests that have left. */
  stop(): Promise<void>;
}

/**
 * Follows the feed and sends its changes to the endpoints. The state of its work is stored, so a stop loses nothing.
 */
export async function startEndpoints(telling: Telling): Promise<Endpoints> {
  const { store, connection, clock, log, feed } = telling;
  const abort = new AbortController();
  const { signal } = abort;
  const lanes = new Map<string, Lane>();
  if (store.kind === 'sqlite') await dropClaims(store.db, connection);

  const worker = (work: Pick<Work, 'name' | 'everyMs' | 'round'>) =>
    new Worker({ ...work, clock, log, retryMs: TROUBLE_MS, fields: { connection } });
  const sending = worker({
    name: 'sending to endpoints',
    everyMs: LOOK_MS,
    async round() {
      const next = await tell();
      return Math.min(LOOK_MS, Math.max(1, next - clock.now()));
    },
  });
  const wake = () => sending.wake();
  const workers = [
    sending,
    worker({
      name: 'queueing messages to endpoints',
      everyMs: FEED_WAIT_MS,
      async round() {
        const head = await feed.head();
        for (let more = true; more && !signal.aborted;) {
          const round = await fanOut(telling);
          more = round.more;
          if (round.made > 0) wake();
        }
        await feed.wait(head, 1, FEED_WAIT_MS, signal);
        return 0;
      },
    }),
    worker({
      name: 'deleting old messages to endpoints',
      everyMs: PRUNE_MS,
      async round() {
        const before = instantOf(clock.now() - LOG_DAYS * 24 * 60 * 60_000);
        const gone = await store.transaction((trx) => pruneMessages(trx, { connection, before, limit: PRUNE_ROWS }));
        return gone < PRUNE_ROWS ? undefined : 0;
      },
    }),
  ];

  /**
   * Sends due messages.
   * @returns epoch milliseconds of the next work
   */
  async function tell(): Promise<number> {
    // After a restore, earlier messages are unknown; delivery waits for a person.
    if (await readFact(store.db, connection, 'automations_disarmed')) return Number.POSITIVE_INFINITY;
    let next = Number.POSITIVE_INFINITY;
    for (const { endpoint_id, state } of await allEndpoints(store.db, connection)) {
      if (state !== 'active' || signal.aborted) continue;
      let lane = lanes.get(endpoint_id);
      if (!lane) lanes.set(endpoint_id, (lane = new Lane(telling, endpoint_id, wake)));
      await lane.pump();
      next = Math.min(next, (await lane.nextAt()) ?? Number.POSITIVE_INFINITY);
    }
    // A due message that is not on its way waits for an earlier one.
    return next <= clock.now() ? clock.now() + LOOK_MS : next;
  }

  for (const one of workers) await one.start();
  return {
    wake,
    get busy() {
      return [...lanes.values()].some((lane) => lane.busy);
    },
    async stop() {
      abort.abort();
      await Promise.all(workers.map((one) => one.stop()));
      await Promise.all([...lanes.values()].map((lane) => lane.stop()));
    },
  };
}
