import type { AuthStatus } from '../../contract/channelAccounts.ts';
import type { ShelfStatus } from '../../contract/listings.ts';
import type { Instant, PlainDate } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Currency } from '../../kernel/money.ts';
import type { Flag, Json } from '../flag.ts';

export interface ChannelAccountRow {
  account_id: AccountId;
  id: number;
  channel_type: string;
  username: string;
  origin_account_id: string;
  auth_status: AuthStatus;
  created_at: Instant;
}

export interface ListingRow {
  account_id: AccountId;
  id: number;
  /** Id of the listing on its channel. */
  listing_id: string;
  channel_type: string;
  channel_account_id: number;
  property_id: number;
  title: string;
  url: string;
  cover: string;
  currency: Currency;
  /** Units that can be booked on a free night. */
  inventory: number;
  /** Percentage of a base price. */
  ratio: number;
  readonly: Flag;
  shelf_status: ShelfStatus;
  metadata: Json;
  /** Prices and rules as last read, for a channel that is not asked each time. */
  rules: Json | null;
  rules_read_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
}

/** One task on a calendar. Tasks of one subject run one after the other. */
export interface CalendarTaskRow {
  account_id: AccountId;
  id: number;
  /** A property's master calendar, or a listing's calendar on its channel. */
  subject: 'property' | 'listing';
  subject_id: number;
  work: Json;
  created_at: Instant;
  leased_until: number;
  /** null: not done yet, or cut off by a crash; the task runs again when its lease is over. */
  outcome: 'clean' | 'warning' | 'failed' | null;
  problem: string | null;
  finished_at: Instant | null;
}

/** The tables of channel accounts, listings and their calendars. */
export interface ChannelTables {
  channel_accounts: ChannelAccountRow;
  listings: ListingRow;
  blocks: {
    account_id: AccountId;
    property_id: number;
    night: PlainDate;
    /** 1: closed because no channel sells the property any more; 0: blocked by hand. */
    unlisted: Flag;
    /** Given by whoever blocked it by hand; null: none. */
    reason: string | null;
  };
  /** Nights that a calendar feed closes, with its name. Several feeds can close the same one. */
  feed_closures: { account_id: AccountId; property_id: number; night: PlainDate; feed_id: number; name: string };
  calendar_tasks: CalendarTaskRow;
  calendar_notices: {
    account_id: AccountId;
    listing: number;
    start_date: PlainDate;
    end_date: PlainDate;
    queued_at: number;
  };
}
