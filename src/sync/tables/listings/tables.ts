import type { Instant, PlainDate } from '../../../kernel/dates.ts';

export interface ChannelAccountColumns {
  connection: string;
  id: number;
  channel_type: string | null;
  username: string | null;
  origin_account_id: string | null;
  auth_status: string | null;
  created_at: Instant | null;
}

export interface ListingColumns {
  connection: string;
  /** `<channel_type>/<listing_id>`: only the two together name a listing. */
  listing: string;
  channel_type: string;
  listing_id: string;
  id: number | null;
  channel_account_id: number | null;
  origin_account_id: string | null;
  title: string | null;
  url: string | null;
  cover: string | null;
  inventory: number | null;
  shelf_status: string | null;
  created_at: Instant | null;
  updated_at: Instant | null;
}

/** One row per listing whose calendar was ever read: its read number is that of all its days. */
export interface CalendarReadsTable {
  connection: string;
  listing: string;
  read_number: number;
  first_seen_at: Instant;
  changed_at: Instant;
  /** The last moment when all readable days were read by their own look-up or scan; null: never. */
  complete_read_at: Instant | null;
}

export interface CalendarDaysTable {
  connection: string;
  listing: string;
  date: PlainDate;
  channel_type: string;
  listing_id: string;
  /** Exact decimal text in the listing's currency. */
  price: string | null;
  inventory: number | null;
  closed_on_arrival: 0 | 1 | null;
  closed_on_departure: 0 | 1 | null;
  min_stay_on_arrival: number | null;
  max_stay_on_arrival: number | null;
  min_stay_through: number | null;
  max_stay_through: number | null;
  exact_stay_on_arrival: number | null;
  min_advance_reservation: string | null;
  max_advance_reservation: string | null;
}
