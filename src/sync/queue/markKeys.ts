import type { Clock } from '../../kernel/clock.ts';
import { type Instant, instantOf, msOf } from '../../kernel/dates.ts';
import type { DateHint } from '../tables/rows/dateHints.ts';
import type { MirrorStore, MirrorTrx, Origin } from '../tables/database.ts';
import { markDirty } from './dirtyKeys.ts';
import type { ReadNumbers } from './readNumbers.ts';

const BATCH = 200;

export interface KeyToRead {
  resource: string;
  key: string;
  hint?: DateHint;
  /** Not before so long from now. */
  afterMs?: number;
}

/** Where keys are marked, and by whose clock and numbers. */
export interface MarkContext {
  store: MirrorStore;
  connection: string;
  clock: Clock;
  numbers: ReadNumbers;
}

/** Asks for a read of keys that no event named, or no event only. */
export async function markKeys(context: MarkContext, keys: readonly KeyToRead[], origin: Origin): Promise<void> {
  for (let start = 0; start < keys.length; start += BATCH) {
    await context.store.transaction((trx) => markIn(trx, context, keys.slice(start, start + BATCH), origin));
  }
}

/** The same within a transaction that has more to do. */
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

/** How far before its first event a row may have been part of what another read saw. */
const BEFORE_EVENT_MS = 60_000;
/** How far back the feed is searched; more changes than this within a minute are a burst, which ends in a scan. */
const LATEST_CHANGES = 2_000;

/**
 * A row that came and went between two reads leaves nothing to say which booking it belonged to, yet a read of
 * that booking in between has counted it in. So every booking is read again that has changed since.
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
