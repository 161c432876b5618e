import type { Restrictions } from '../../contract/listings.ts';
import type { PlainDate } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Minor } from '../../kernel/money.ts';
import type { ListingRow } from '../database.ts';

// The port between the core and channels: everything that the core asks of a channel. What a channel reports (bookings,
// messages, reviews, answers to offers) comes the other way, by the `receive` functions of the resources.

/**
 * One kind of channel. A part that is left out is missing on the channel: without calendars its listings cannot be
 * pushed or read, without posts nothing can be written to its guests, without requests the answer to a request to book
 * concerns nobody there. All functions are called outside of transactions.
 */
export interface ChannelAdapter {
  readonly calendars?: CalendarAdapter;
  readonly posts?: PostAdapter;
  readonly requests?: RequestAdapter;
}

/** Adapters by channel_type. */
export type ChannelAdapters = ReadonlyMap<string, ChannelAdapter>;

/** A listing as its channel needs to know it. */
export type ChannelListing = Pick<
  ListingRow,
  'account_id' | 'id' | 'listing_id' | 'channel_type' | 'channel_account_id' | 'currency'
>;

/** Listings with their calendars, prices and rules. */
export interface CalendarAdapter {
  /**
   * Reads the present days of several listings, by the listing's own id, oldest first and without gaps. A listing that
   * the channel does not know is left out.
   */
  readCalendars(listings: readonly ChannelListing[], range: Days): Promise<ReadonlyMap<number, readonly ChannelDay[]>>;
  /**
   * Changes the calendar: only the named days, and of them only what the update names. Repeating an update changes
   * nothing more, since a crash may have left its outcome unknown. Each failure is an outcome; nothing is thrown.
   */
  push(listing: ChannelListing, update: CalendarUpdate): Promise<PushResult>;
  /** Reads the present prices and rules, with further data of the channel. @throws ApiError 502 when it cannot */
  readSettings(listing: ChannelListing): Promise<Settings>;
  /**
   * Changes the given settings.
   * @returns the settings afterwards
   * @throws ApiError 502 when the channel fails; it has changed nothing then
   */
  writeSettings(listing: ChannelListing, changes: Settings): Promise<Settings>;
}

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

/** The channel's reaction to an update. With a warning it may have applied a part of it, after a failure none. */
export interface PushResult {
  outcome: 'clean' | 'warning' | 'failed';
  /** What to tell the operator; null when clean. */
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

/** Messages, offers and reviews for guests of the channel. */
export interface PostAdapter {
  /**
   * Sends a post to the channel. Called at most once for each post, and in the order of their lanes.
   * @throws Error when the channel refuses or cannot be reached
   */
  post(post: ChannelPost): Promise<Posted>;
}

/**
 * Something that a channel must be told, by the channel's own names of things: `thread` is its id of a conversation. Posts
 * are stored in this form, so its keys stay as they are.
 */
export type ChannelPost =
  | {
      kind: 'message';
      thread: string;
      /** Ours; a channel that echoes it back lets the echo be recognised. */
      message_id: string;
      content: string;
      /** Tokens of pictures stored here. */
      attachments: readonly string[];
    }
  | {
      kind: 'offer';
      thread: string;
      special_offer_id: string;
      offer_type: string;
      listing_id: string;
      rate_plan_id: string | null;
      check_in_date: string;
      check_out_date: string;
      number_of_adults: number;
      number_of_children: number;
      number_of_infants: number;
      number_of_pets: number;
      /** Minor units of `currency`; null: the standard price. */
      price: number | null;
      currency: string;
    }
  | { kind: 'withdraw_offer'; thread: string; special_offer_id: string }
  | { kind: 'host_review'; reservation: string; score: number | null; ratings: object; content: string }
  | { kind: 'host_reply'; reservation: string; content: string };

export interface Posted {
  /** The channel's own id of a message. */
  channel_message_id?: string;
}

/**
 * Answers to requests to book. The channel is told before the status moves here. Two answers at once may both be sent,
 * and one whose outcome a crash has left unknown is sent again: the first answer counts, the same one again does no
 * harm.
 */
export interface RequestAdapter {
  /**
   * @throws ApiError 502 or 504 when the channel does not accept the answer, 400 when it has another; the request stays
   * waiting
   */
  approve(request: RequestToBook): Promise<void>;
  /** @throws ApiError as for {@link approve} */
  decline(request: RequestToBook): Promise<void>;
}

/** A request to book, with the channel's own ids. */
export interface RequestToBook {
  account_id: AccountId;
  channel_type: string;
  channel_id: string;
}
