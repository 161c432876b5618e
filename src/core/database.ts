import type { Kysely, Transaction } from 'kysely';
import type { ShareScope } from '../contract/calendarShareLinks.ts';
import type { Dictionary } from '../contract/dictionaries.ts';
import type { ReservationStatus } from '../contract/reservations.ts';
import type { Instant, PlainDate } from '../kernel/dates.ts';
import type { AccountId, ReservationCode, StayCode } from '../kernel/ids.ts';
import type { Currency, Minor } from '../kernel/money.ts';
import type { AccountTables } from './accounts/rows.ts';
import type { BrandTables } from './brands/rows.ts';
import type { ChannelTables } from './channels/rows.ts';
import type { ConversationTables } from './conversations/rows.ts';
import { type Flag, flag, type Json } from './flag.ts';
import type { GuestPageTables } from './guestPages/rows.ts';
import type { OAuthTables } from './oauthTables.ts';
import type { SetupTables } from './setup/rows.ts';
import type { SealingsTable } from '../store/sealing/sealClear.ts';
import type { WorkTables } from './workTables.ts';

export type {
  AccountConnectionRow,
  AccountRow,
  InviteRow,
  LoginRow,
  OperatorRow,
  SessionRow,
  SignInTriesRow,
  TokenRow,
} from './accounts/rows.ts';
export type { ChannelAccountRow, ListingRow, CalendarTaskRow } from './channels/rows.ts';

export { type Flag, flag, type Json };

export interface PropertyRow {
  account_id: AccountId;
  id: number;
  name: string;
  status: 'active' | 'inactive';
  address: string;
  longitude: string;
  latitude: string;
  time_zone: string;
  currency: Currency;
  created_at: Instant;
  /** Times of day (`15:00`) from which guests may come, and until which they go; null: not set. */
  check_in_time: string | null;
  check_out_time: string | null;
}

interface Named {
  account_id: AccountId;
  id: number;
  name: string;
  /** The name in lower case, for comparison. */
  name_key: string;
  created_at: Instant;
}

export type RoomTypeRow = Named;
export type PropertyGroupRow = Named;

export interface PropertyTagRow extends Named {
  color: string;
  deleted_at: Instant | null;
}

export interface ReservationTagRow extends Omit<Named, 'name'> {
  tag_name: string;
  color: string;
  deleted_at: Instant | null;
}

export interface CalendarShareLinkRow {
  account_id: AccountId;
  id: number;
  scope: ShareScope;
  /** Encrypted; context `calendar_share_link:<id>`. */
  token: string;
  /** SHA-256 of the token. */
  token_hash: string;
  created_at: Instant;
}

export interface ReservationRow {
  account_id: AccountId;
  reservation_code: ReservationCode;
  channel_id: string;
  currency: Currency;
  total_rate: Minor;
  total_commission: Minor;
  tax: Minor | null;
  custom_channel_id: number | null;
  conversation_id: string | null;
  /** The entry with the received amount given at creation. It alone follows later changes. */
  income_transaction_id: number | null;
}

export interface StayRow {
  account_id: AccountId;
  id: number;
  stay_code: StayCode;
  reservation_code: ReservationCode;
  /** 0: in the reservation box. */
  property_id: number;
  channel_type: string;
  listing_id: string;
  status: ReservationStatus;
  stay_status: string;
  check_in_date: PlainDate;
  check_out_date: PlainDate;
  number_of_guests: number;
  number_of_adults: number | null;
  number_of_children: number | null;
  number_of_infants: number | null;
  number_of_pets: number | null;
  rate: Minor | null;
  commission: Minor | null;
  rate_details: Json;
  additional_fees: Json;
  booked_at: Instant;
  created_at: Instant;
  cancelled_at: Instant | null;
  creator: string | null;
  note: string | null;
  channel_remarks: string | null;
  arrival_at: Json | null;
  departure_at: Json | null;
  /** Encrypted, see reservations/lockCode.ts. */
  lock_code: string | null;
  lock_code_visible_after: string | null;
  deposit: Minor;
  id_required: string;
  custom_fields: Json | null;
  channel_details: Json | null;
}

export interface GuestRow {
  account_id: AccountId;
  stay_id: number;
  id: number;
  is_booker: Flag;
  name: string | null;
  phone: string | null;
  email: string | null;
  id_type: string | null;
  id_number: string | null;
  gender: string | null;
  country: string | null;
}

export interface DepositRow {
  account_id: AccountId;
  stay_id: number;
  amount: Minor;
  paid_amount: Minor;
  deducted_amount: Minor;
  pending_refund_amount: Minor;
  refunded_amount: Minor;
  currency: Currency;
  status: 'unpaid' | 'paid' | 'refunded';
}

/** One step of a deposit: what happened, when, and by whom. */
export interface DepositEventRow {
  account_id: AccountId;
  /** Sorts by time. */
  id: string;
  stay_id: number;
  at: Instant;
  kind: 'required' | 'paid' | 'deducted' | 'refunded' | 'returned';
  /** For `returned` what was left, which went back. */
  amount: Minor;
  currency: Currency;
  /** What is owed to the guest after it. */
  pending_refund_amount: Minor;
  /** As the caller, or the channel, calls it. */
  reference: string | null;
  /** null: the service, or the channel. */
  operator_id: number | null;
}

/** The id by which a channel knows a reservation. A reservation retains it, whatever its state. */
interface ChannelReservationRow {
  account_id: AccountId;
  channel_type: string;
  channel_id: string;
  reservation_code: ReservationCode;
}

/** Moment until which a reservation waits for an answer or payment. The answer deletes the row. */
interface ReservationTimerRow {
  account_id: AccountId;
  reservation_code: ReservationCode;
  due_at: Instant;
}

/** A picture of a document that belongs to a guest on record. */
interface GuestImageRow {
  account_id: AccountId;
  stay_id: number;
  guest_id: number;
  id: number;
  url: string;
}

/** A picture from the check-in guide. client_id is the guest it shows, once known. */
interface CheckinGuideImageRow {
  account_id: AccountId;
  stay_id: number;
  id: number;
  client_id: number | null;
  url: string;
}

export interface TransactionRow {
  account_id: AccountId;
  id: number;
  direction: 'income' | 'expense';
  item_id: number;
  payment_method_id: number;
  amount: Minor;
  currency: Currency;
  action_at: Instant;
  note: string;
  /** The note in its searchable form; null: identical. */
  note_key: string | null;
  reservation_code: ReservationCode | null;
  property_id: number | null;
  /** null: created by the service itself. */
  operator_id: number | null;
  created_at: Instant;
  updated_at: Instant;
}

export interface WebhookRow {
  account_id: AccountId;
  id: number;
  /** Encrypted, since a path or a query is often a secret; context `webhook_url:<id>`. */
  url: string;
  /** JSON array of event kinds; null: all. */
  events: Json | null;
  /** Encrypted; context `webhook:<id>`. */
  secret: string;
  /** The secret before the last rotation, which signs along with the new one until `previous_until`. */
  previous_secret: string | null;
  previous_until: Instant | null;
  manageable: Flag;
  signature_only: Flag;
  created_at: Instant;
  deleted_at: Instant | null;
  /** The application that registered it; null: a person, or a program with an access token. */
  client_id: string | null;
  /** The person for whom it was registered; null: unknown, or the holder of the data directory. */
  operator_id: number | null;
  /** The access token that registered it; null: none, or unknown. */
  token_id: number | null;
  /** The one event that is still sent after the webhook has ended: the disconnection of its application. */
  farewell_event_id: string | null;
}

export interface OutboxRow {
  account_id: AccountId;
  event_id: string;
  event: string;
  /** The payload, byte for byte as it is sent. */
  body: string;
  queued_at: Instant;
  /** 1: every webhook that is to receive the event has a delivery row. */
  fanned_out: Flag;
}

interface DeliveryRow {
  account_id: AccountId;
  event_id: string;
  webhook_id: number;
  /** null: not sent yet, or cut off by a crash; sent when the lease is over. */
  outcome: string | null;
  http_status: number | null;
  leased_until: number;
  finished_at: Instant | null;
}

/** The core's own tables. The account comes first in every key. */
export interface CoreDatabase
  extends
    AccountTables,
    BrandTables,
    ChannelTables,
    ConversationTables,
    GuestPageTables,
    OAuthTables,
    SetupTables,
    WorkTables {
  idempotency_keys: {
    account_id: AccountId;
    caller: string;
    key: string;
    request_hash: string;
    state: 'begun' | 'committed' | 'answered';
    answer: string | null;
    created_at: Instant;
  };
  confirmation_uses: { account_id: AccountId; id: string; expires_at: Instant };
  audit: {
    account_id: AccountId;
    id: string;
    at: Instant;
    operator_id: number | null;
    /** The application that acted for the person. */
    client_id: string | null;
    action: string;
    subject: string;
    /** The way by which the action came in; null: by the service itself, or recorded before ways were. */
    entrance: string | null;
    /** Settings and numbers before and after; never a secret, and nothing that names a guest. */
    old_values: Json | null;
    new_values: Json | null;
  };
  properties: PropertyRow;
  room_types: RoomTypeRow;
  room_type_properties: { account_id: AccountId; room_type_id: number; property_id: number };
  property_groups: PropertyGroupRow;
  group_properties: { account_id: AccountId; group_id: number; property_id: number };
  property_tags: PropertyTagRow;
  tag_properties: { account_id: AccountId; tag_id: number; property_id: number };
  tag_room_types: { account_id: AccountId; tag_id: number; room_type_id: number };
  custom_channels: { account_id: AccountId; id: number; name: string };
  dictionary_items: {
    account_id: AccountId;
    dictionary: Dictionary;
    id: number;
    name: string;
    /** 1: entries of this expense item are refunds, which reduce the amount that a reservation has received. */
    refund: Flag;
  };
  reservations: ReservationRow;
  stays: StayRow;
  reservation_tags: ReservationTagRow;
  stay_tags: { account_id: AccountId; tag_id: number; stay_id: number };
  nights: { account_id: AccountId; property_id: number; night: PlainDate; stay_id: number };
  calendar_share_links: CalendarShareLinkRow;
  share_link_properties: { account_id: AccountId; link_id: number; property_id: number };
  guests: GuestRow;
  deposits: DepositRow;
  deposit_events: DepositEventRow;
  channel_reservations: ChannelReservationRow;
  /** Reports of a channel, by the channel's own reference, so that each counts once. */
  channel_facts: { account_id: AccountId; reservation_code: ReservationCode; kind: string; reference: string };
  reservation_timers: ReservationTimerRow;
  guest_images: GuestImageRow;
  checkin_guide_images: CheckinGuideImageRow;
  transactions: TransactionRow;
  allocations: { account_id: AccountId; transaction_id: number; stay_code: StayCode; amount: Minor };
  webhooks: WebhookRow;
  sealings: SealingsTable;
  outbox: OutboxRow;
  deliveries: DeliveryRow;
  request_counters: {
    account_id: AccountId;
    bucket: string;
    window_seconds: number;
    window_start: number;
    count: number;
  };
  import_rows: {
    account_id: AccountId;
    source: string;
    row_key: string;
    row_hash: string;
    reservation_code: ReservationCode;
    /** Moment at which the income of a future stay is received; null: none is expected. */
    income_at: Instant | null;
  };
}

/** The database for reads outside transactions. */
export type CoreDb = Kysely<CoreDatabase>;
export type CoreTransaction = Transaction<CoreDatabase>;
