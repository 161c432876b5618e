import { instantOf } from '../kernel/dates.ts';
import { messageOf as wordsOf } from '../kernel/errors.ts';
import { Worker } from '../kernel/worker.ts';
import type { Change } from '../sync/feed/feed.ts';
import { readFact } from '../sync/tables/connection/facts.ts';
import type { BrokerContext } from './context.ts';
import { messageOf } from './message.ts';
import { beginBrokerFeed, claimFeed, dropClaim, noteFeed } from './table.ts';
import type { BrokerFeedsTable } from './tables.ts';

/** Number of changes between two records of the cursor. */
const BATCH = 100;
/** Milliseconds after which the cursor is recorded in any case; the claim lasts longer. */
const BATCH_MS = 20_000;
const CLAIM_MS = 60_000;
/** Milliseconds between looks at the broker when nothing changes. */
const IDLE_MS = 30_000;
const HELD_MS = 5_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Random share by which a pause is lengthened or shortened. */
const JITTER = 0.2;

/**
 * Returns the worker that publishes the changes of one connection, one after the other: the next one leaves when the
 * broker has acknowledged the one before, so that their order is that of the feed whatever fails. The cursor follows the
 * acknowledgements. What was published after its last record is published again by the next process, with the same ids.
 */
export function brokerWorker(context: BrokerContext): Worker {
  const { store, connection, feed, clock, random, log, broker, by } = context;
  /** Failures in a row. */
  let failed = 0;

  async function claimed(): Promise<BrokerFeedsTable | undefined> {
    const now = clock.now();
    return claimFeed(store.db, { connection, by, now: instantOf(now), until: instantOf(now + CLAIM_MS) });
  }

  async function round(signal: AbortSignal): Promise<number> {
    // After a restore, a second service may run beside the first; a person decides which of them publishes.
    if (await readFact(store.db, connection, 'automations_disarmed')) return HELD_MS;
    const state = await claimed();
    if (!state) return IDLE_MS;
    const changes = await feed.read(state.cursor, BATCH);
    const sent = await send(changes, signal);
    await note(state, sent);
    if (sent.problem !== undefined) {
      failed += 1;
      return pauseAfter(failed, random.fraction());
    }
    failed = 0;
    if (sent.count < changes.length || changes.length === BATCH) return 0;
    await feed.wait(sent.last?.seq ?? state.cursor, 1, IDLE_MS, signal);
    return 0;
  }

  async function send(changes: readonly Change[], signal: AbortSignal): Promise<Sent> {
    const begun = clock.monotonic();
    const sent: Sent = { count: 0, last: undefined, problem: undefined };
    try {
      const mostBytes = await broker.ready();
      for (const change of changes) {
        if (signal.aborted || clock.monotonic() - begun > BATCH_MS) break;
        await broker.publish(messageOf(change, context.subject, mostBytes));
        sent.count += 1;
        sent.last = change;
      }
    } catch (error) {
      sent.problem = wordsOf(error);
    }
    return sent;
  }

  async function note(state: BrokerFeedsTable, { count, last, problem }: Sent): Promise<void> {
    const at = instantOf(clock.now());
    const isNews = (problem ?? null) !== state.problem;
    if (!last && problem === undefined && !isNews) return;
    const since = last ? at : (state.failing_since ?? at);
    await noteFeed(
      store.db,
      { connection, by },
      {
        ...(last && { cursor: last.seq, published: state.published + count, published_at: at }),
        failures: state.failures + (problem === undefined ? 0 : 1),
        failing_since: problem === undefined ? null : since,
        problem: problem ?? null,
      },
    );
    if (!isNews) return;
    if (problem === undefined) log.info({ connection }, 'the broker takes the change feed again');
    else log.warn({ connection, problem }, 'the broker does not take the change feed');
  }

  return new Worker({
    clock,
    log,
    name: 'publishing to the broker',
    fields: { connection },
    everyMs: IDLE_MS,
    retryMs: HELD_MS,
    async prepare() {
      await beginBrokerFeed(store.db, connection);
      // One process owns a SQLite store; every earlier one is gone.
      if (store.kind === 'sqlite') await dropClaim(store.db, connection);
    },
    round,
  });
}

/** What the broker has acknowledged, and what hindered more. */
interface Sent {
  count: number;
  last: Change | undefined;
  problem: string | undefined;
}

/** @param fraction random number from 0 to 1 */
function pauseAfter(failures: number, fraction: number): number {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10));
  return Math.round(pause * (1 + JITTER * (2 * fraction - 1)));
}
