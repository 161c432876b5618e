import type { Instant } from '../../kernel/dates.ts';
import { count } from '../tables/connection/counters.ts';
import { type DateRange, hintOf } from '../tables/rows/dateHints.ts';
import type { MirrorStore } from '../tables/database.ts';
import { next } from '../../kernel/transitions.ts';
import { inboxLife } from '../tables/states.ts';
import { closeEvents, pendingEvents, type PendingEvent } from './inbox.ts';
import { AVAILABILITY } from '../tables/listings/availability.ts';

const BATCH = 200;

/** Keys with the dates that can still be read of them. */
interface UnreadableNights {
  connection: string;
  keys: readonly string[];
  marksBelow: number;
  /** The dates that upstream still answers. */
  limits: DateRange;
  at: Instant;
}

/**
 * Closes events whose nights upstream no longer answers, or not yet, so that they cause no request. All keys have the
 * same limits. Events with a readable night stay open: a read of that night follows.
 */
export async function closeUnreadable(store: MirrorStore, nights: UnreadableNights): Promise<void> {
  const { connection, keys, marksBelow, limits, at } = nights;
  for (let skip = ''; ;) {
    const more = await store.transaction(async (trx) => {
      const page = await pendingEvents(trx, {
        connection,
        resource: AVAILABILITY,
        keys,
        number: marksBelow,
        after: skip,
        limit: BATCH,
      });
      const ids = page.filter((event) => isBeyond(event, limits)).map((event) => event.event_id);
      if (ids.length > 0)
        await closeEvents(trx, { connection, ids, state: next(inboxLife, 'pending', 'give_up'), seq: null, at });
      await count(trx, connection, { unreadable: ids.length });
      return page.length === BATCH ? page.at(-1)?.event_id : undefined;
    });
    if (more === undefined) return;
    skip = more;
  }
}

function isBeyond(event: PendingEvent, { from, to }: DateRange): boolean {
  const hint = hintOf(daysOf(event.body));
  return hint !== undefined && (hint.to < from || hint.from > to);
}

function daysOf(body: string | null): unknown {
  if (body === null) return undefined;
  const value: unknown = JSON.parse(body);
  return typeof value === 'object' && value !== null ? Reflect.get(value, 'availabilities') : undefined;
}
