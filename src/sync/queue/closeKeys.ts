import { type Instant, msOf } from '../../kernel/dates.ts';
import { next } from '../../kernel/transitions.ts';
import { inboxLife } from '../tables/states.ts';
import type { MirrorStore, MirrorTrx } from '../tables/database.ts';
import { cleanKeys, dirtyAmong, confirmKeys } from './dirtyKeys.ts';
import { changedSince } from '../feed/changedSince.ts';
import { count } from '../tables/connection/counters.ts';
import { closeEvents, pendingEvents } from './inbox.ts';
import { eventsCame } from '../trust/loss/eventsCame.ts';
import { queuedAt } from '../trust/loss/match.ts';
import type { Meter } from '../trust/measures/meter.ts';
import { isGivenUp, type Look, type Patience } from './patience.ts';

const READ = next(inboxLife, 'pending', 'read');

/** More events than this in one transaction would hold the event loop for too long. */
const MOST_EVENTS = 1_000;

/** A read whose answer is about to be committed, and the keys that it covered. */
export interface ReadOfKeys {
  connection: string;
  resource: string;
  keys: readonly string[];
  number: number;
  at: Instant;
  /** Decides when to read a key again whose event has announced more than shows. Left out: nothing more is expected. */
  patience?: Patience | undefined;
  /** The moment when the first request of this read was sent; left out: now. */
  sentAt?: Instant | undefined;
  meter: Meter;
}

/** The keys that a read makes clean, and the events that waited for it. */
export interface OpenKeys {
  keys: readonly { key: string; confirming: number; origin: string }[];
  events: ReadonlyMap<string, readonly string[]>;
  /** When the first event of a key was queued, if the event says so (epoch milliseconds), by key. */
  queued: ReadonlyMap<string, number>;
  /** When the first and the last event of a key came (epoch milliseconds), by key. */
  came: ReadonlyMap<string, { first: number; last: number }>;
  /** Set if there are more events than one transaction takes. */
  crowded: boolean;
}

const nothingOpen: OpenKeys = { keys: [], events: new Map(), queued: new Map(), came: new Map(), crowded: false };

/**
 * Returns the dirty keys of a read that no mark has touched since the read was sent.
 * @param covered says for which keys every row was read after the mark with this number
 */
export async function openKeys(
  trx: MirrorTrx,
  read: ReadOfKeys,
  covered: (keys: readonly string[]) => Promise<(key: string, mark: number) => boolean>,
): Promise<OpenKeys> {
  const { connection, resource, number } = read;
  const dirty = (await dirtyAmong(trx, { connection, resource, keys: read.keys })).filter(
    (row) => row.mark_number < number,
  );
  if (dirty.length === 0) return nothingOpen;
  const isCovered = await covered(dirty.map((row) => row.key));
  const keys = dirty.filter((row) => isCovered(row.key, row.mark_number));
  if (keys.length === 0) return nothingOpen;
  const names = keys.map((row) => row.key);
  const pending = await pendingEvents(trx, {
    connection,
    resource,
    keys: names,
    number,
    after: '',
    limit: MOST_EVENTS,
  });
  const events = new Map<string, string[]>();
  const queued = new Map<string, number>();
  const came = new Map<string, { first: number; last: number }>();
  for (const event of pending) {
    const ids = events.get(event.key ?? '');
    if (ids) ids.push(event.event_id);
    else events.set(event.key ?? '', [event.event_id]);
    // An event without the time when it was queued counts from its arrival.
    const at = msOf(queuedAt(event) ?? event.received_at);
    queued.set(event.key ?? '', Math.min(queued.get(event.key ?? '') ?? at, at));
    const cameAt = msOf(event.received_at);
    const { first, last } = came.get(event.key ?? '') ?? { first: cameAt, last: cameAt };
    came.set(event.key ?? '', { first: Math.min(first, cameAt), last: Math.max(last, cameAt) });
  }
  return { keys, events, queued, came, crowded: pending.length === MOST_EVENTS };
}

/**
 * Makes the keys clean and closes their events.
 * @param seqs the last change of each key that changed
 * @returns the keys that will be read once more
 */
export async function closeKeys(
  trx: MirrorTrx,
  read: ReadOfKeys,
  open: OpenKeys,
  seqs: ReadonlyMap<string, number>,
): Promise<string[]> {
  if (open.keys.length === 0) return [];
  const { connection, resource, number, at, meter } = read;
  const again = await looksAgain(trx, read, open, seqs);
  const confirming = [...again.keys()];
  const done = open.keys.map((row) => row.key).filter((key) => !again.has(key));
  const idsBySeq = new Map<number | null, string[]>();
  for (const key of done) {
    const seq = seqs.get(key) ?? null;
    idsBySeq.set(seq, [...(idsBySeq.get(seq) ?? []), ...(open.events.get(key) ?? [])]);
  }
  const closing = [...idsBySeq.values()].flat();
  await eventsCame(trx, { connection, resource, keys: done, ids: closing });
  if (closing.length > 0) meter.add('reads', resource, { count: 1, total: closing.length });
  for (const { key } of open.keys) {
    const queued = open.queued.get(key);
    if (queued !== undefined && seqs.has(key)) meter.propagated(resource, msOf(at) - queued);
  }
  for (const [seq, ids] of idsBySeq) {
    if (ids.length > 0) await closeEvents(trx, { connection, ids, state: READ, seq, at });
  }
  if (!open.crowded) await cleanKeys(trx, { connection, resource, keys: done, number });
  for (const [key, look] of again) {
    await confirmKeys(trx, { connection, resource, keys: [key], number, ...look });
  }
  return confirming;
}

/** Returns the keys whose events have announced more than this read shows, with the time of their next read. */
async function looksAgain(
  trx: MirrorTrx,
  read: ReadOfKeys,
  open: OpenKeys,
  seqs: ReadonlyMap<string, number>,
): Promise<Map<string, { again: Instant; looks: number }>> {
  const { connection, resource, at, patience, sentAt = at } = read;
  const again = new Map<string, { again: Instant; looks: number }>();
  if (!patience || open.crowded) return again;
  const asked = open.keys.filter((row) => row.origin === 'event' && open.events.has(row.key));
  const unchanged = asked.map((row) => row.key).filter((key) => !seqs.has(key));
  const changes = await changedSince(trx, { connection, resource, keys: unchanged });
  let givenUp = 0;
  for (const { key, confirming: looks } of asked) {
    const { first, last } = open.came.get(key) ?? { first: msOf(at), last: msOf(at) };
    const look: Look = {
      resource,
      looks,
      changed: seqs.has(key),
      changedBefore: (changes.get(key) ?? 0) >= (open.queued.get(key) ?? first),
      sentAt: msOf(sentAt),
      firstAt: first,
      lastAt: last,
    };
    const next = patience.next(look);
    if (next) again.set(key, next);
    else if (isGivenUp(look)) givenUp += 1;
  }
  await count(trx, connection, { [`unconfirmed/${resource}`]: givenUp });
  return again;
}

/** Closes the rest of a crowded read in transactions of bearable size, and then makes its keys clean. */
export async function closeRest(store: MirrorStore, read: ReadOfKeys, keys: readonly string[]): Promise<void> {
  const { connection, resource, number, at } = read;
  for (let more = true; more;) {
    more = await store.transaction(async (trx) => {
      const rest = await pendingEvents(trx, { connection, resource, keys, number, after: '', limit: MOST_EVENTS });
      if (rest.length > 0) {
        const ids = rest.map((event) => event.event_id);
        await eventsCame(trx, { connection, resource, keys, ids });
        await closeEvents(trx, { connection, ids, state: READ, seq: null, at });
      }
      if (rest.length < MOST_EVENTS) await cleanKeys(trx, { connection, resource, keys, number });
      return rest.length === MOST_EVENTS;
    });
  }
}
