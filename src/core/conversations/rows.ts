import type { DisplayType } from '../../contract/conversations.ts';
import type { OfferStatus, OfferType } from '../../contract/specialOffers.ts';
import type { Instant, PlainDate } from '../../kernel/dates.ts';
import type { AccountId, ReservationCode } from '../../kernel/ids.ts';
import type { Currency, Minor } from '../../kernel/money.ts';

type Json = string;
type Flag = 0 | 1;

export interface ConversationRow {
  account_id: AccountId;
  id: number;
  conversation_id: string;
  channel_type: string;
  /** The channel's own name of the conversation. */
  channel_thread_id: string;
  guest_name: string | null;
  guest_email: string | null;
  guest_phone: string | null;
  last_message_at: Instant | null;
  last_message: string;
  unread_count: number;
  note: string | null;
  note_updated_at: Instant | null;
  created_at: Instant;
}

export interface InquiryRow {
  account_id: AccountId;
  conversation_id: string;
  id: number;
  /** 0: the listing belongs to no property. */
  property_id: number;
  listing_id: string;
  check_in_date: PlainDate;
  check_out_date: PlainDate;
  number_of_guests: number;
  created_at: Instant;
}

export interface MessageRow {
  account_id: AccountId;
  conversation_id: string;
  id: number;
  message_id: string;
  /** The channel's own id; null until it is known. */
  channel_message_id: string | null;
  /** 1: sent by POST /conversations/{id} and counted against the conversation's limits. */
  posted: Flag;
  sender_role: string;
  sender_name: string | null;
  display_type: DisplayType;
  content: string;
  attachments: Json;
  sources: Json;
  sent_at: Instant;
  created_at: Instant;
}

export interface AttachmentRow {
  account_id: AccountId;
  token: string;
  conversation_id: string;
  content_type: string;
  created_at: Instant;
  base64: string;
}

export interface SpecialOfferRow {
  account_id: AccountId;
  conversation_id: string;
  id: number;
  special_offer_id: string;
  offer_type: OfferType;
  /** Status as last written. An active offer past its time counts as expired, although no write says so. */
  status: OfferStatus;
  listing_id: string;
  rate_plan_id: string | null;
  check_in_date: PlainDate;
  check_out_date: PlainDate;
  number_of_adults: number;
  number_of_children: number;
  number_of_infants: number;
  number_of_pets: number;
  price: Minor | null;
  currency: Currency;
  expires_at: Instant;
  created_at: Instant;
  ended_at: Instant | null;
}

export interface ReviewRow {
  account_id: AccountId;
  reservation_code: ReservationCode;
  id: number;
  /** The first stay of the reservation. */
  stay_id: number;
  host_review: Json | null;
  guest_review: Json | null;
  host_reply: Json | null;
  created_at: Instant;
}

/** waiting → sending → sent | failed | unknown: cut off by a crash, with an unknown result. */
export type PostState = 'waiting' | 'sending' | 'sent' | 'failed' | 'unknown';

export interface ChannelPostRow {
  account_id: AccountId;
  id: number;
  channel_type: string;
  /** Posts of one lane are made one after the other. */
  lane: string;
  payload: Json;
  state: PostState;
  problem: string | null;
  created_at: Instant;
  finished_at: Instant | null;
}

/** The tables of conversations, offers, reviews, and posts for channels. */
export interface ConversationTables {
  conversations: ConversationRow;
  inquiries: InquiryRow;
  messages: MessageRow;
  attachments: AttachmentRow;
  special_offers: SpecialOfferRow;
  reviews: ReviewRow;
  channel_posts: ChannelPostRow;
}
