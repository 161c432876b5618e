import { turn } from '../../kernel/clock.ts';
import { type AccountId, firstIdAt } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/log.ts';
import { Worker } from '../../kernel/worker.ts';
import type { Core } from '../context.ts';
import { deleteDeliveries, deleteEvents, deliveriesOfEvents, eventsBetween, nextAccount } from './table.ts';

/** Rows deleted in one transaction, deliveries included; also the events read in it. */
const BATCH = 200;
/** Milliseconds between two searches for old events. */
const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

interface RetentionOptions {
  core: Core;
  log: Logger;
  /** Days for which an event is retained. */
  days: number;
}

/**
 * Deletes events that were queued longer ago than the retention, with their deliveries. An event that is not assigned
 * yet, or has a delivery without an outcome, remains however old it is: it is still to be sent.
 */
export function outboxRetention({ core, log, days }: RetentionOptions): Worker {
  const { store, clock } = core;
  return new Worker({
    clock,
    log,
    name: 'deleting old events',
    everyMs: EVERY_MS,
    async round(signal) {
      const before = firstIdAt(clock.now() - days * DAY_MS);
      let accountId = await nextAccount(store.db, '');
      while (accountId !== undefined && !signal.aborted) {
        for (let after: string | undefined = ''; after !== undefined && !signal.aborted; await turn()) {
          after = await pruneBatch(core, { accountId, after, before });
        }
        accountId = await nextAccount(store.db, accountId);
      }
    },
  });
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
