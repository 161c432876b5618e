import { flag } from '../../core/database.ts';
import { instantOf } from '../../kernel/dates.ts';
import type { ReservationCode } from '../../kernel/ids.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import type { FeedEntry } from './decide.ts';
import type { Overlaps } from './overlaps.ts';
import type { FeedEvent } from './readFeed.ts';
import type { FeedEntryRow, FeedRow } from './rows.ts';

const NAME_DIGITS = 16;

/** Puts digests in the place of guests' names, so that a feed remembers nobody. @returns the names by their digests */
export function nameless(events: readonly FeedEvent[]): { events: FeedEvent[]; names: ReadonlyMap<string, string> } {
  const names = new Map<string, string>();
  const without = events.map((event) => {
    if (event.guest === null) return event;
    const guest = sha256Hex(event.guest).slice(0, NAME_DIGITS);
    names.set(guest, event.guest);
    return { ...event, guest };
  });
  return { events: without, names };
}

/** Returns an event as it was remembered. @param released entries whose reservation was cancelled here */
export function entryOf(row: FeedEntryRow, released: ReadonlySet<number>): FeedEntry {
  return {
    entry: row.entry,
    uid: row.uid,
    start: row.start_date,
    end: row.end_date,
    kind: row.kind,
    reference: row.reference,
    guest: row.guest,
    // Only a new reservation takes it over.
    phoneLast4: null,
    echo: row.echo === 1,
    booked: row.reservation_code !== null,
    released: released.has(row.entry),
    missingReads: row.missing_reads,
    missingSince: row.missing_since,
  };
}

interface Storing {
  readonly feed: FeedRow;
  readonly codes: ReadonlyMap<number, ReservationCode | null>;
  readonly overlaps: Overlaps;
  readonly known: FeedEntryRow | undefined;
  readonly now: number;
}

/** Returns the row by which an event is remembered. */
export function rowOf(entry: FeedEntry, { feed, codes, overlaps, known, now }: Storing): FeedEntryRow {
  return {
    account_id: feed.account_id,
    feed_id: feed.id,
    entry: entry.entry,
    uid: entry.uid,
    start_date: entry.start,
    end_date: entry.end,
    kind: entry.kind,
    reference: entry.reference,
    guest: entry.guest,
    echo: flag(entry.echo),
    reservation_code: codes.get(entry.entry) ?? null,
    clash: flag(overlaps.clashing.has(entry.entry) || known?.clash === 1),
    overlapping_stays: JSON.stringify(overlaps.stays.get(entry.entry) ?? []),
    missing_reads: entry.missingReads,
    missing_since: entry.missingSince,
    first_seen_at: known?.first_seen_at ?? instantOf(now),
  };
}
