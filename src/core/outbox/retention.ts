import { type Timer, turn } from '../../kernel/clock.ts';
import { type AccountId, firstIdAt } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Core } from '../context.ts';
import { deleteDeliveries, deleteEvents, deliveriesOfEvents, eventsBetween, nextAccount } from './table.ts';

/** Rows deleted in one transaction, deliveries included; also the events read in it. */
const BATCH = 200;
/** Milliseconds between two searches for old events. */
const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

export interface RetentionOptions {
  core: Core;
  log: Logger;
  /** Days for which an event is retained. */
  days: number;
}

/**
 * Deletes events that were queued longer ago than the retention, with their deliveries. An event that is not assigned
 * yet, or has a delivery without an outcome, remains however old it is: it is still to be sent.
 */
export class OutboxRetention {
  readonly #options: RetentionOptions;
  #running: Promise<void> | undefined;
  #timer: Timer | undefined;
  #stopped = false;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** Searches the tables now and every hour. */
  start(): void {
    this.#running = this.#run();
  }

  /** Resolves when this worker has no transaction in progress. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { core, log, days } = this.#options;
    const before = firstIdAt(core.clock.now() - days * DAY_MS);
    try {
      for (let account = await nextAccount(core.store.db, ''); account !== undefined;) {
        await this.#prune(account, before);
        account = await nextAccount(core.store.db, account);
      }
    } catch (error) {
      log.error({ err: error }, 'deleting old events failed; trying again in an hour');
    }
    if (!this.#stopped) this.#timer = core.clock.setTimer(EVERY_MS, () => this.start());
  }

  async #prune(accountId: AccountId, before: string): Promise<void> {
    for (let after: string | undefined = ''; after !== undefined && !this.#stopped;) {
      after = await pruneBatch(this.#options.core, { accountId, after, before });
      await turn();
    }
  }
}

interface Range {
  accountId: AccountId;
  after: string;
  before: string;
}

/** @returns the event after which the next batch begins; undefined when none is left */
function pruneBatch({ store }: Core, { accountId, after, before }: Range): Promise<string | undefined> {
  return store.transaction(async (trx) => {
    const events = await eventsBetween(trx, { accountId, after, before, limit: BATCH });
    const eventIds = events.map((event) => event.event_id);
    const counts = await deliveriesOfEvents(trx, { accountId, eventIds });
    const deliveries = new Map(counts.map((row) => [row.event_id, row]));
    const gone: string[] = [];
    let seen: string | undefined = after;
    let room = BATCH;
    for (const { event_id, fanned_out } of events) {
      const { total = 0, finished = 0 } = deliveries.get(event_id) ?? {};
      const isFinished = fanned_out === 1 && finished === total;
      if (isFinished && total >= room) {
        // The event has more deliveries than a transaction has rows, so they are deleted first, in parts.
        if (room === BATCH) await deleteDeliveries(trx, { accountId, eventIds: [event_id], limit: BATCH });
        return await deleted(seen);
      }
      if (isFinished) {
        gone.push(event_id);
        room -= 1 + total;
      }
      seen = event_id;
    }
    return await deleted(events.length < BATCH ? undefined : seen);

    async function deleted(next: string | undefined): Promise<string | undefined> {
      if (gone.length === 0) return next;
      await deleteDeliveries(trx, { accountId, eventIds: gone, limit: BATCH });
      await deleteEvents(trx, { accountId, eventIds: gone });
      return next;
    }
  });
}
