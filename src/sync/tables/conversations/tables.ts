import type { Instant } from '../../../kernel/dates.ts';
import type { Json, RawRow } from '../rowFacts.ts';

interface ConversationsTable extends RawRow {
  connection: string;
  conversation_id: string;
  channel_type: string | null;
  reservation_codes: Json | null;
}

interface MessagesTable extends RawRow {
  connection: string;
  message: string;
  conversation_id: string;
  message_id: string;
  sender_role: string | null;
  sent_at: Instant | null;
}

interface SpecialOffersTable extends RawRow {
  connection: string;
  offer: string;
  conversation_id: string;
  status: string | null;
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
  messages: MessagesTable;
  special_offers: SpecialOffersTable;
  reviews: ReviewsTable;
  personal_values: PersonalValuesTable;
}
