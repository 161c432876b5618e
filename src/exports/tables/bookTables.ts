import type { Instant, PlainDate } from '../../kernel/dates.ts';
import type { Currency, Minor } from '../../kernel/money.ts';
import type { SourceState } from '../journal/entry.ts';
import type { Flag } from '../../sync/tables/rowFacts.ts';

/** The state of the stored journal; one row per connection. */
interface BooksTable {
  connection: string;
  /** The last booked day. */
  through: PlainDate;
  booked_at: Instant;
  /** The newest change of the feed that the journal includes. */
  seq: number;
  /** Identifies the inputs that the feed does not tell of. */
  basis: string;
  entries: number;
  /** The time of the last change in the mirror to a source of the books; null if there is none. */
  changed_at: Instant | null;
}

/** The stored groups of entries. */
interface BookGroupsTable {
  connection: string;
  group_key: string;
  digest: string;
  /** The first day on which the rows may become others although no fact changes; null if there is none. */
  due_on: PlainDate | null;
}

/** What became of each source, in the order of its group. */
export interface BookOutcomesTable {
  connection: string;
  group_key: string;
  number: number;
  /** `transaction/12`. */
  source: string;
  state: SourceState;
  reason: string;
  date: PlainDate | null;
}

/** What moved on an account within a month. */
export interface BookBalancesTable {
  connection: string;
  /** `2027-03`. */
  period: string;
  account: string;
  currency: Currency;
  /** Debits less credits. */
  amount_minor: Minor;
  postings: number;
}

/** The stored entries. */
export interface BookEntriesTable {
  connection: string;
  entry_id: string;
  group_key: string;
  date: PlainDate;
  original_date: PlainDate | null;
  kind: string;
  class: string;
  suffix: string;
  source_kind: string;
  source_id: string;
  revision: number;
  corrects: string | null;
  payee: string;
  description: string;
  reservation_code: string | null;
  stay_code: string | null;
  channel: string | null;
}

/** The stored postings. */
export interface BookPostingsTable {
  connection: string;
  entry_id: string;
  posting: number;
  group_key: string;
  date: PlainDate;
  account: string;
  amount_minor: Minor;
  currency: Currency;
  property_id: number | null;
  owner: string | null;
  contract: string | null;
  memo: string | null;
  class: string;
  suffix: string;
  source_kind: string;
  reservation_code: string | null;
  channel: string | null;
}

/** The accounts that occur, with their purposes. */
export interface BookAccountsTable {
  connection: string;
  account: string;
  type: string;
  role: string;
  title: string;
  code: string | null;
  owner: string | null;
  owner_name: string | null;
  trust: Flag;
}

/** The book settings of properties. */
export interface BookPropertiesTable {
  connection: string;
  property_id: number;
  code: string;
  owner: string | null;
  contract: string | null;
  tax_authority: string | null;
}

/** The book settings of channels. */
export interface BookChannelsTable {
  connection: string;
  channel_type: string;
  channel: string;
  clearing: string;
  commission: string;
  occupancy_tax: string;
}

/** The states of deposits over time. */
export interface BookDepositsTable {
  connection: string;
  stay_code: string;
  number: number;
  group_key: string;
  reservation_code: string;
  property_id: number;
  channel: string;
  kind: string | null;
  from_date: PlainDate;
  to_date: PlainDate | null;
  ends_on: PlainDate;
  due_on: PlainDate;
  lapses_on: PlainDate | null;
  currency: Currency;
  paid_minor: Minor;
  deducted_minor: Minor;
  pending_minor: Minor;
}

/** Findings for a person to look at. */
export interface BookExceptionsTable {
  connection: string;
  group_key: string;
  number: number;
  kind: string;
  about: string;
  problem: string;
  date: PlainDate | null;
}

/** The tables of the stored journal. */
interface BookTables {
  books: BooksTable;
  book_groups: BookGroupsTable;
  book_outcomes: BookOutcomesTable;
  book_balances: BookBalancesTable;
  book_entries: BookEntriesTable;
  book_postings: BookPostingsTable;
  book_accounts: BookAccountsTable;
  book_properties: BookPropertiesTable;
  book_channels: BookChannelsTable;
  book_deposits: BookDepositsTable;
  book_exceptions: BookExceptionsTable;
}

declare module '../../sync/tables/database.ts' {
  interface Mirror extends BookTables {}
}
