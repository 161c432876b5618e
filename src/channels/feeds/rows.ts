import type { Flag, Json } from '../../core/database.ts';
import type { Instant, PlainDate } from '../../kernel/dates.ts';
import type { AccountId, ReservationCode } from '../../kernel/ids.ts';
import type { FeedKind, FeedSource } from './sources.ts';

declare module '../../core/database.ts' {
  /** The tables of calendar feeds. What they close is the calendar's own table, `feed_closures`. */
  interface CoreDatabase {
    feeds: FeedRow;
    feed_entries: FeedEntryRow;
  }
}

/** The calendar of a unit at one place outside: the address where we read it, and the one where it reads ours. */
export interface FeedRow {
  account_id: AccountId;
  id: number;
  property_id: number;
  name: string;
  source: FeedSource;
  /** channel: it sells the unit, and sees only closed nights · private: a person's own calendar. */
  audience: 'channel' | 'private';
  /** Encrypted, since its query is a secret; context `feed_url:<id>`. null: nothing is read. */
  url: string | null;
  /** Host of the address, for people. */
  host: string | null;
  /** Encrypted; context `feed_token:<id>`. */
  token: string;
  token_hash: string;
  /** JSON array of what a private calendar shows. */
  shows: Json;
  state: 'active' | 'paused';
  created_at: Instant;
  etag: string | null;
  last_modified: string | null;
  /** Milliseconds since the epoch; null: not read. */
  next_read_at: number | null;
  tried_at: Instant | null;
  good_at: Instant | null;
  /** Failed reads in a row. */
  failures: number;
  /** Why the last read failed; null: it did not. */
  problem: string | null;
  good_reads: number;
  /** Events of the last good read. */
  events: number | null;
  /** Why some of its events could not be read; null: all could. */
  unreadable: string | null;
  next_entry: number;
  /** Last time that somebody fetched our calendar here, and with which program. */
  fetched_at: Instant | null;
  fetched_by: string | null;
  /** Milliseconds that usually lie between two such fetches, the later ones counting more; null: not known yet. */
  usual_fetch_ms: number | null;
  /** JSON array of the events as they were fetched then. */
  told: Json | null;
}

/** An event of a feed that is read. */
export interface FeedEntryRow {
  account_id: AccountId;
  feed_id: number;
  entry: number;
  uid: string;
  start_date: PlainDate;
  end_date: PlainDate;
  kind: FeedKind;
  reference: string | null;
  /** Digest of the guest's name, by which the event is found again; the name itself is with the reservation. */
  guest: string | null;
  echo: Flag;
  /** The reservation of ours that stands for it; null: its nights are closed, unless it is an echo. */
  reservation_code: ReservationCode | null;
  /** 1: it closes nights that a stay of ours holds, and nobody has looked yet. */
  clash: Flag;
  /** JSON array of the ids of stays whose nights it closes, as of the last good read; null: not held against any yet. */
  overlapping_stays: Json | null;
  missing_reads: number;
  missing_since: Instant | null;
  first_seen_at: Instant;
}
