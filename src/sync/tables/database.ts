import type { Generated, Insertable, Kysely, Transaction } from 'kysely';
import type { Instant, PlainDate } from '../../kernel/dates.ts';
import type { Minor } from '../../kernel/money.ts';
import type { SealingsTable } from '../../store/sealing/sealClear.ts';
import type { Store } from '../../store/store.ts';
import type { GuestsTable, ReservationsTable, StayNightsTable, StaysTable } from './reservations/tables.ts';
import type { ConnectionFactsTable } from './connection/factsTable.ts';
import type { ConversationTables } from './conversations/tables.ts';
import type { HistoryTables } from './rows/tables.ts';
import type {
  CalendarDaysTable,
  CalendarReadsTable,
  ChannelAccountColumns,
  ListingColumns,
} from './listings/tables.ts';
import type { Origin } from './origin.ts';
import type { PortfolioTables } from './portfolio/tables.ts';
import type {
  PropertyListingsTable,
  ReportTables,
  StayFiguresTable,
  StayItemsTable,
} from './reservations/figureTables.ts';
import type { Flag, Json, RawRow, RowFacts } from './rowFacts.ts';
import type { UpstreamTokensTable } from './connection/upstreamTokensTable.ts';
import type { ConnectionState, InboxState, KeyState, ScanState } from './states.ts';
import type { WorkMirror } from './work/tables.ts';

export type { DerivedEventsTable } from './rows/tables.ts';
export type {
  Flag,
  GuestsTable,
  Json,
  Origin,
  PropertyListingsTable,
  RawRow,
  ReservationsTable,
  RowFacts,
  StayFiguresTable,
  StayItemsTable,
  StayNightsTable,
  StaysTable,
};

export interface ConnectionsTable {
  connection: string;
  base_url: string;
  state: ConnectionState;
  reason: string | null;
  state_at: Instant;
  probe_at: Instant | null;
  webhook_id: number | null;
  /** Sealed. */
  webhook_url: string | null;
  /** Sealed. */
  webhook_secret: string | null;
  /** The reason to read everything again; null: there is none. */
  catch_up_due: string | null;
  caught_up_at: Instant | null;
  /** The process that makes the scans; its claim ends at `scanner_until` unless it renews. */
  scanner: Generated<string | null>;
  scanner_until: Generated<Instant | null>;
  created_at: Instant;
}

interface CountersTable {
  connection: string;
  name: string;
  value: number;
}

interface AccountsTable extends RawRow {
  connection: string;
  account_id: string;
  name: string | null;
  time_zone: string | null;
  currency: string | null;
}

interface WebhooksTable extends RawRow {
  connection: string;
  id: number;
  /** Sealed, as in the raw row. */
  url: string | null;
  events: Json | null;
  manageable: Flag | null;
  created_at: Instant | null;
}

interface InboxTable {
  connection: string;
  event_id: string;
  event: string;
  received_at: Instant;
  resource: string | null;
  key: string | null;
  mark_number: number;
  state: InboxState;
  change_seq: Generated<number | null>;
  closed_at: Generated<Instant | null>;
  body: Json | null;
}

/** An event as it is first stored. */
export type NewEvent = Insertable<InboxTable>;

export interface DirtyKeysTable {
  connection: string;
  resource: string;
  key: string;
  /** Only the answer of a read with a greater number makes the key clean. */
  mark_number: number;
  origin: Origin;
  first_marked_at: Instant;
  last_marked_at: Instant;
  marks: number;
  attempts: number;
  /** The number of reads after the event that did not show the announced change; see queue/patience.ts. */
  confirming: number;
  next_at: Instant;
  due_by: Instant;
  claimed_until: Generated<Instant | null>;
  claimed_by: Generated<string | null>;
  state: KeyState;
  problem: Generated<string | null>;
  /** The dates to read, see rows/dateHints.ts. */
  hint: string | null;
  hint_from: PlainDate | null;
  hint_to: PlainDate | null;
}

interface ScansTable {
  connection: string;
  scan_id: string;
  resource: string;
  purpose: string;
  state: ScanState;
  started_at: Instant;
  finished_at: Instant | null;
  first_number: number;
  requests: number;
  rows: number;
  cursor: Json | null;
  claimed_until: Instant | null;
  problem: string | null;
  /** The part of the resource; null: all of it. */
  part: Generated<string | null>;
}

export interface QuarantineTable {
  connection: string;
  resource: string;
  key: string;
  problem: string;
  first_seen_at: Instant;
  last_seen_at: Instant;
  times: number;
  raw: Json | null;
}

interface PropertiesTable extends RawRow {
  connection: string;
  id: number;
  name: string | null;
  status: string | null;
  address: string | null;
  longitude: string | null;
  latitude: string | null;
  time_zone: string | null;
  tags: Json | null;
  groups: Json | null;
}

/** One row per property whose calendar was ever read: its read number is that of all its days. */
export interface AvailabilityReadsTable {
  connection: string;
  property_id: number;
  read_number: number;
  first_seen_at: Instant;
  changed_at: Instant;
  /** The last moment when all readable nights were read by their own look-up or scan; null: never. */
  complete_read_at: Instant | null;
}

export interface AvailabilityDaysTable {
  connection: string;
  property_id: number;
  date: PlainDate;
  available: Flag;
  remarks: string | null;
}

interface TransactionsTable extends RawRow {
  connection: string;
  id: number;
  reservation_code: string | null;
  property_id: number | null;
  direction: string | null;
  status: string | null;
  item_id: number | null;
  item_name: string | null;
  payment_method_id: number | null;
  payment_method_name: string | null;
  amount_minor: Minor | null;
  currency: string | null;
  action_at: Instant | null;
  action_date: PlainDate | null;
  link_type: string | null;
  operator_name: string | null;
  created_at: Instant | null;
  updated_at: Instant | null;
}

interface CustomChannelsTable extends RawRow {
  connection: string;
  id: number;
  name: string | null;
}

interface DictionaryItemsTable extends RawRow {
  connection: string;
  item: string;
  dictionary: string;
  id: number;
  name: string | null;
}

interface FeedHeadsTable {
  connection: string;
  seq: number;
}

export interface ChangesTable {
  connection: string;
  seq: number;
  at: Instant;
  resource: string;
  key: string;
  /** The stay of a reservation with several; null where it equals the key. */
  part: string | null;
  op: 'created' | 'updated' | 'deleted';
  derived: string | null;
  seen_by: Origin;
  event_ids: Json;
  diff: Json | null;
  /** 1: a message of a guest that was not known before. */
  needs_answer: Generated<Flag>;
}

interface VersionsTable {
  connection: string;
  change_seq: number;
  resource: string;
  key: string;
  part: string | null;
  valid_from: Instant;
  valid_to: Instant;
  read_number: number;
  raw: Json;
}

/**
 * The mirror's tables. A room that has tables of its own adds them by declaring this interface again, beside their
 * columns: `declare module '…/sync/tables/database.ts' { interface Mirror extends ItsTables {} }`.
 */
export interface Mirror extends ConversationTables, HistoryTables, PortfolioTables, ReportTables, WorkMirror {
  connections: ConnectionsTable;
  connection_facts: ConnectionFactsTable;
  upstream_tokens: UpstreamTokensTable;
  counters: CountersTable;
  accounts: AccountsTable;
  webhooks: WebhooksTable;
  inbox: InboxTable;
  dirty_keys: DirtyKeysTable;
  scans: ScansTable;
  quarantine: QuarantineTable;
  reservations: ReservationsTable;
  stays: StaysTable;
  stay_nights: StayNightsTable;
  guests: GuestsTable;
  properties: PropertiesTable;
  availability_reads: AvailabilityReadsTable;
  availability_days: AvailabilityDaysTable;
  channel_accounts: ChannelAccountColumns & RawRow;
  listings: ListingColumns & RawRow;
  calendar_reads: CalendarReadsTable;
  calendar_days: CalendarDaysTable;
  transactions: TransactionsTable;
  custom_channels: CustomChannelsTable;
  dictionary_items: DictionaryItemsTable;
  feed_heads: FeedHeadsTable;
  changes: ChangesTable;
  versions: VersionsTable;
  sealings: SealingsTable;
}

export type MirrorStore = Store<Mirror>;
export type MirrorDb = Kysely<Mirror>;
export type MirrorTrx = Transaction<Mirror>;
