import type { Instant, PlainDate } from '../../../kernel/dates.ts';
import type { Currency, Minor } from '../../../kernel/money.ts';
import type { Json, RawRow } from '../rowFacts.ts';

interface ConversationsTable extends RawRow {
  connection: string;
  conversation_id: string;
  channel_type: string | null;
  reservation_codes: Json | null;
  property_ids: Json | null;
  check_in_date: PlainDate | null;
  check_out_date: PlainDate | null;
  note: string | null;
}

interface MessagesTable extends RawRow {
  connection: string;
  message: string;
  conversation_id: string;
  message_id: string;
  sender_role: string | null;
  sources: Json | null;
  sent_at: Instant | null;
}

interface SpecialOffersTable extends RawRow {
  connection: string;
  offer: string;
  conversation_id: string;
  id: string;
  offer_type: string | null;
  status: string | null;
  check_in_date: PlainDate | null;
  check_out_date: PlainDate | null;
  price_minor: Minor | null;
  currency: Currency | null;
  expires_at: Instant | null;
  created_at: Instant | null;
}

/** Who wrote last in a conversation. */
interface ConversationStatesTable {
  connection: string;
  conversation_id: string;
  unanswered: 0 | 1;
  /** Empty if nobody has written. */
  last_at: Instant;
  /** Key of the message. */
  last_message: string | null;
  last_role: string | null;
}

interface ReviewsTable extends RawRow {
  connection: string;
  review: string;
  reservation_code: string;
  stay_code: string | null;
  property_id: number | null;
  guest_score_hundredths: number | null;
  host_reviewed_at: Instant | null;
  host_replied_at: Instant | null;
}

export interface PersonalValuesTable {
  connection: string;
  resource: string;
  row_key: string;
  path: string;
  text: string | null;
  json: Json | null;
}

/** The tables of conversations, offers and reviews, and of the personal values in them. */
export interface ConversationTables {
  conversations: ConversationsTable;
  conversation_states: ConversationStatesTable;
  messages: MessagesTable;
  special_offers: SpecialOffersTable;
  reviews: ReviewsTable;
  personal_values: PersonalValuesTable;
}
