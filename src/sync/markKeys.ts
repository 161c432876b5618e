import { type Instant, instantOf, msOf } from '../kernel/dates.ts';
import type { Applied, ApplyContext } from './apply.ts';
import type { DateHint } from './dateHints.ts';
import type { Origin } from './database.ts';
import { markDirty } from './dirtyKeys.ts';
import type { MirrorResource } from './mirror/resource.ts';
import type { ReadNumbers } from './readNumbers.ts';

const BATCH = 200;

export interface KeyToRead {
  resource: string;
  key: string;
  hint?: DateHint;
  /** Not before so long from now. */
  afterMs?: number;
}

/** Asks for a read of keys that no event named, or no event only. */
export async function markKeys(
  context: Pick<ApplyContext, 'store' | 'connection' | 'clock'> & { numbers: ReadNumbers },
  keys: readonly KeyToRead[],
  origin: Origin,
): Promise<void> {
  const { store, connection, clock, numbers } = context;
  for (let start = 0; start < keys.length; start += BATCH) {
    const nowMs = clock.now();
    const at = instantOf(nowMs);
    await store.transaction(async (trx) => {
      const number = await numbers.mark(trx);
      for (const { resource, key, hint, afterMs = 0 } of keys.slice(start, start + BATCH)) {
        const where = { hint: hint?.text ?? null, hintFrom: hint?.from ?? null, hintTo: hint?.to ?? null };
        const due = instantOf(nowMs + afterMs);
        const times = { at, quietAt: due, dueBy: due };
        await markDirty(trx, { connection, resource, key, number, origin, marks: 0, ...times, ...where });
      }
    });
  }
}

/** How far before its first event a row may have been part of what another read saw. */
const BEFORE_EVENT_MS = 60_000;
/** How far back the feed is searched; more changes than this within a minute are a storm, which ends in a walk. */
const LATEST_CHANGES = 2_000;

/**
 * A row that came and went between two reads leaves nothing to say which booking it belonged to, yet a read of
 * that booking in between has counted it in. So every booking is read again that has changed since.
 */
export async function markSuspects(
  context: Pick<ApplyContext, 'store' | 'connection' | 'clock'> & { numbers: ReadNumbers },
  resource: MirrorResource,
  firstMarkedAt: Instant,
): Promise<boolean> {
  if (!resource.leavesSuspects) return false;
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
  return keys.length > 0;
}

/** Asks for a read of what announced changes touch without an event of its own. */
export async function markTouched(
  context: Pick<ApplyContext, 'store' | 'connection' | 'clock'> & { numbers: ReadNumbers },
  resource: MirrorResource,
  applied: Applied,
): Promise<boolean> {
  if (!resource.touches || applied.changes.length === 0) return false;
  const touched = new Map<string, KeyToRead>();
  for (const { raw, announced } of applied.changes) {
    // Without an event it is a walk that found the change, and walks come in an order that needs no mark.
    const keys = announced ? resource.touches(raw) : [];
    for (const one of keys) touched.set(`${one.resource} ${one.key}`, one);
  }
  await markKeys(context, [...touched.values()], 'related');
  return touched.size > 0;
}
