import type { Restrictions } from '../../contract/listings.ts';
import type { PlainDate } from '../../kernel/dates.ts';
import type { AccountId, IdMaker } from '../../kernel/ids.ts';
import type { Minor } from '../../kernel/money.ts';
import type { Random } from '../../kernel/random.ts';
import type { AccountRow, CoreTransaction, GuestRow, ListingRow, StayRow } from '../database.ts';

// The port between the core and channels: everything that the core asks of a channel. What a channel reports (bookings,
// messages, reviews, answers to offers) comes the other way, by the `receive` functions of the resources.

/**
 * One kind of channel. A part that is left out is missing on the channel: without calendars its listings cannot be
 * pushed or read, without posts nothing can be written to its guests, without requests the answer to a request to book
 * concerns nobody there, without conversations only the channel opens them. Functions are called outside of
 * transactions unless they take one.
 */
export interface ChannelAdapter {
  readonly calendars?: CalendarAdapter;
  readonly posts?: PostAdapter;
  readonly requests?: RequestAdapter;
  readonly conversations?: ConversationAdapter;
  /** Tables of the channel's own that name guests. */
  readonly privacy?: PrivacyAdapter;
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
   * @throws UnknownOutcome when nobody can say if the channel has it, Error when the channel refuses or cannot be reached
   */
  post(post: ChannelPost, accountId: AccountId): Promise<Posted>;
}

/** Thrown by a channel that broke off after it had begun to take a post. It is not made again. */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome';
}

/** Conversations that can be opened from here. */
export interface ConversationAdapter {
  /**
   * Returns the channel's name for a new conversation with the booker of a stay; undefined if the channel does not reach
   * them. Called within the transaction of the change.
   */
  open(change: OpeningChange, stay: StayRow, booker: GuestRow): Promise<string | undefined>;
}

/** The part of a change that a channel needs to open a conversation. */
export interface OpeningChange {
  readonly trx: CoreTransaction;
  readonly now: number;
  readonly account: Pick<AccountRow, 'account_id'>;
  readonly core: { readonly ids: IdMaker; readonly random: Random };
}

/** The erasure of guests from a channel's own tables. */
export interface PrivacyAdapter {
  /**
   * Erases what is stored of a person, within the transaction of the erasure.
   * @param whom the channel's names of their conversations, and their addresses in lower case
   * @returns the number of rows
   */
  forget(
    trx: CoreTransaction,
    accountId: AccountId,
    whom: { readonly threads: readonly string[]; readonly addresses: readonly string[] },
  ): Promise<number>;
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
      /** True if a rule has written it; left out: a person, or nobody knows. */
      automatic?: true;
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
