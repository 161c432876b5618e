import type { Restrictions } from '../../contract/listings.ts';
import type { PlainDate } from '../../kernel/dates.ts';
import type { Minor } from '../../kernel/money.ts';
import type { ListingRow } from '../database.ts';

/** Consecutive days, both included. */
export interface Days {
  start_date: PlainDate;
  end_date: PlainDate;
}

/** What is to change on a channel's calendar; of ranges that overlap, the later one counts. */
export type CalendarUpdate =
  | { kind: 'prices'; ranges: readonly (Days & { price: Minor })[] }
  | { kind: 'inventory'; ranges: readonly (Days & { inventory: number })[] }
  | { kind: 'restrictions'; ranges: readonly (Days & { restrictions: Partial<Restrictions> })[] };

/** How a channel took an update. With a warning it may have taken a part of it. */
export interface PushResult {
  outcome: 'clean' | 'warning' | 'failed';
  problem: string | null;
}

/** A day as the channel shows it; the price in minor units of the listing's currency. */
export interface ChannelDay {
  date: PlainDate;
  price: Minor | null;
  inventory: number;
  restrictions: Restrictions;
}

/** Prices and rules as they stand on the wire. */
export type Settings = Readonly<Record<string, unknown>>;

/** A channel, as far as listings and their calendars go. Nothing here may be called inside a transaction. */
export interface ChannelAdapter {
  /** Days of several listings as they are shown now, by the listing's own id. */
  readCalendars(listings: readonly ListingRow[], range: Days): Promise<ReadonlyMap<number, readonly ChannelDay[]>>;
  /** Changes the calendar. Safe to repeat. */
  push(listing: ListingRow, update: CalendarUpdate): Promise<PushResult>;
  /** Prices and rules as they are now, with what the channel says beside them. */
  readSettings(listing: ListingRow): Promise<Settings>;
  /** Changes those given. @returns the settings as they are then @throws ApiError 502 when the channel fails */
  writeSettings(listing: ListingRow, changes: Settings): Promise<Settings>;
}
