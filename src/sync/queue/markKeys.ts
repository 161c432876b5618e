import type { Clock } from '../../kernel/clock.ts';
import { type Instant, instantOf, msOf } from '../../kernel/dates.ts';
import type { DateHint } from '../tables/rows/dateHints.ts';
import type { MirrorStore, MirrorTrx, Origin } from '../tables/database.ts';
import { markDirty } from './dirtyKeys.ts';
import type { ReadNumbers } from './readNumbers.ts';

const BATCH = 200;

/** A key to mark for a read. */
export interface KeyToRead {
  resource: string;
  key: string;
  hint?: DateHint;
  /** The least time from now until the read. */
  afterMs?: number;
}

/** The connection in which keys are marked, with the clock and the numbers to use. */
export interface MarkContext {
  store: MirrorStore;
  connection: string;
  clock: Clock;
  numbers: ReadNumbers;
}

/** Marks keys for a read that no event caused, or not an event alone. */
export async function markKeys(context: MarkContext, keys: readonly KeyToRead[], origin: Origin): Promise<void> {
  for (let start = 0; start < keys.length; start += BATCH) {
    await context.store.transaction((trx) => markIn(trx, context, keys.slice(start, start + BATCH), origin));
  }
}

/** Does the same as {@link markKeys} within a larger transaction. */
export async function markIn(
  trx: MirrorTrx,
  { connection, clock, numbers }: MarkContext,
  keys: readonly KeyToRead[],
  origin: Origin,
): Promise<void> {
  if (keys.length === 0) return;
  const nowMs = clock.now();
  const at = instantOf(nowMs);
  const number = await numbers.mark(trx);
  // PostgreSQL: all who mark lock the keys in one order.
  for (const { resource, key, hint, afterMs = 0 } of keys.length < 2 ? keys : keys.toSorted(inKeyOrder)) {
    const where = { hint: hint?.text ?? null, hintFrom: hint?.from ?? null, hintTo: hint?.to ?? null };
    const due = instantOf(nowMs + afterMs);
    const times = { at, quietAt: due, dueBy: due };
    await markDirty(trx, { connection, resource, key, number, origin, marks: 0, ...times, ...where });
  }
}

function inKeyOrder(a: KeyToRead, b: KeyToRead): number {
  return a.resource < b.resource || (a.resource === b.resource && a.key < b.key) ? -1 : 1;
}

/** The longest time before its first event in which another read may have seen a row. */
const BEFORE_EVENT_MS = 60_000;
/** The number of changes that the search of the feed covers; more within a minute are a burst, which ends in a scan. */
const LATEST_CHANGES = 2_000;

/**
 * Marks every reservation that has changed since. A row that came and went between two reads leaves no trace of its
 * reservation, yet a read of that reservation in between has counted it in.
 */
export async function markSuspects(context: MarkContext, firstMarkedAt: Instant): Promise<void> {
  const since = instantOf(msOf(firstMarkedAt) - BEFORE_EVENT_MS);
  const suspects = await context.store.db
    .selectFrom('changes')
    .select('key')
    .distinct()
    .where('connection', '=', context.connection)
    .where('seq', '>', (of) =>
      of
        .selectFrom('feed_heads')
        .select((head) => head('seq', '-', LATEST_CHANGES).as('from'))
        .where('connection', '=', context.connection),
    )
    .where('resource', '=', 'reservation')
    .where('at', '>=', since)
    .execute();
  const keys = suspects.map(({ key }) => ({ resource: 'reservation', key }));
  await markKeys(context, keys, 'related');
}
