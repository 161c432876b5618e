import type { Restrictions } from '../../contract/listings.ts';
import type { PlainDate } from '../../kernel/dates.ts';
import type { Minor } from '../../kernel/money.ts';
import type { ListingRow } from '../database.ts';

/** Consecutive days, both included. */
export interface Days {
  start_date: PlainDate;
  end_date: PlainDate;
}

/** A change of a channel's calendar. Where ranges overlap, the later one counts. */
export type CalendarUpdate =
  | { kind: 'prices'; ranges: readonly (Days & { price: Minor })[] }
  | { kind: 'inventory'; ranges: readonly (Days & { inventory: number })[] }
  | { kind: 'restrictions'; ranges: readonly (Days & { restrictions: Partial<Restrictions> })[] };

/** The channel's reaction to an update. With a warning it may have applied a part of it. */
export interface PushResult {
  outcome: 'clean' | 'warning' | 'failed';
  problem: string | null;
}

/** A day as the channel shows it. The price is in minor units of the listing's currency. */
export interface ChannelDay {
  date: PlainDate;
  price: Minor | null;
  inventory: number;
  restrictions: Restrictions;
}

/** Prices and rules in their wire format. */
export type Settings = Readonly<Record<string, unknown>>;

/**
 * A channel as far as listings and their calendars are concerned. None of its functions may be called inside a
 * transaction.
 */
export interface ChannelAdapter {
  /** Reads the present days of several listings, by the listing's own id. */
  readCalendars(listings: readonly ListingRow[], range: Days): Promise<ReadonlyMap<number, readonly ChannelDay[]>>;
  /** Changes the calendar. Safe to repeat. */
  push(listing: ListingRow, update: CalendarUpdate): Promise<PushResult>;
  /** Reads the present prices and rules, with further data of the channel. */
  readSettings(listing: ListingRow): Promise<Settings>;
  /** Changes the given settings. @returns the settings afterwards @throws ApiError 502 when the channel fails */
  writeSettings(listing: ListingRow, changes: Settings): Promise<Settings>;
}
