import type { z } from 'zod';
import type { CallOptions, Client } from '../../../client/client.ts';
import type { Fields } from '../../../client/fields.ts';
import type { Known } from '../../../client/known.ts';
import type { Profile } from '../../../contract/dialect/profile.ts';
import type { FieldChange } from './diff.ts';
import type { QuarantinedRow } from '../../../client/readData.ts';
import type { Instant, PlainDate } from '../../../kernel/dates.ts';
import { sha256Hex } from '../../../kernel/signature.ts';
import type { GuestsTable, MirrorTrx } from '../database.ts';
import type { SideValues } from './sideValues.ts';
import { flatValues, noValues, type PersonalValues, separator, type Values } from './personal.ts';

export type Scalar = string | number | null;
export type Columns = Record<string, Scalar>;

/** The tables whose rows are read from upstream one by one and share the same facts. */
export type RowTable =
  | 'stays'
  | 'transactions'
  | 'properties'
  | 'channel_accounts'
  | 'listings'
  | 'custom_channels'
  | 'dictionary_items'
  | 'accounts'
  | 'webhooks'
  | 'room_types'
  | 'property_groups'
  | 'property_tags'
  | 'reservation_tags'
  | 'calendar_share_links'
  | 'conversations'
  | 'messages'
  | 'special_offers'
  | 'reviews'
  | 'automation_actions'
  | 'knowledge_bases'
  | 'staffs'
  | 'tasks';

/** A row of an answer, ready to be compared with what the mirror holds. */
export interface IncomingRow {
  /** Value of the key column. */
  rowKey: string | number;
  /** The key that events name; several rows can share it. */
  key: string;
  /** The row below the key where it differs from it: a stay of a reservation with several. */
  part: string | null;
  raw: Fields;
  rawText: string;
  personal: PersonalValues;
  /** The rows of `guests` that hold the personal values. */
  guests: readonly GuestsTable[];
  /** The rows of `personal_values`, for resources that keep theirs there. */
  values: Values;
  /** Its text is too old to be kept: what is still stored of it is about to go. */
  isAged?: true;
  /** The typed columns, without connection, facts and raw. Only asked for when the row is written. */
  columns(): Columns;
  /** What tables beside its own hold of it. Only asked for when they are written or compared. */
  aside(): SideValues;
}

/** A row that nothing names, without its personal values. */
export interface UnreadableRow {
  key: string;
  problem: string;
  rawText: string | null;
}

/** What an answer held, for apply and compare. */
export interface Page {
  rows: readonly IncomingRow[];
  quarantined: readonly UnreadableRow[];
  /** It is not all that stands under the key: what is missing from it may be there. */
  partial?: boolean;
  /** What was awaited of it and is not there. */
  missing?: readonly string[];
  /** The kinds of rows that the same answer shows under the same keys, and that are applied as well. */
  beside?: readonly string[];
}

/** What rows are read in: the connection they belong to, and its ways. */
export interface Reading {
  connection: string;
  /** The time zone of the account, for moments without an offset. */
  zone: string;
  /** What has a review of its own there. */
  reviewsBy: Profile['reviews_by'];
}

/** Work on tables beside the row's own, in the transaction of the rows. */
export interface SideTables {
  /** Takes away what hangs on rows that are about to be replaced or are gone. Their old columns still stand. */
  clear(trx: MirrorTrx, connection: string, rowKeys: readonly (string | number)[]): Promise<void>;
  /** Writes what hangs on rows that have just been written. */
  write(trx: MirrorTrx, connection: string, rows: readonly WrittenRow[]): Promise<void>;
  /** Makes the sums over the rows of these keys anew; `written` are those of them that have just been written. */
  sum(
    trx: MirrorTrx,
    connection: string,
    keys: readonly string[],
    at: Instant,
    written: readonly WrittenRow[],
  ): Promise<void>;
  /** What is not as it should be beside each of these rows, by row key; rows that are right are left out. */
  compare(trx: MirrorTrx, connection: string, rows: readonly IncomingRow[]): Promise<Map<string, string[]>>;
}

export interface WrittenRow {
  row: IncomingRow;
  /** Its typed columns. */
  columns: Columns;
}

/** One kind of row: how it is read, where it stands. */
export interface MirrorResource {
  /** The word of events, dirty keys and the feed. */
  readonly name: string;
  readonly table: RowTable;
  readonly keyColumn: string;
  /** The column that holds the key of events; the same as keyColumn where each key is one row. */
  readonly groupColumn: string;
  /** Its list may become much shorter, or empty, in the ordinary course of things: two readings that agree are believed. */
  readonly mayShrink?: true;
  readonly sideTables?: SideTables;
  /** Everything that stands under a key: no rows when it is gone upstream. Left out: only whole lists can be read. */
  lookUp?(
    client: Client,
    reading: Reading,
    key: string,
    options: CallOptions,
    awaited?: ReadonlySet<string>,
  ): Promise<Page>;
  /** What an event promises to be found under its key: an answer without it has come too early. */
  awaits?(event: Fields): string | undefined;
  /** Its personal values stand in `personal_values`. */
  readonly keepsValues?: boolean;
  /** Guests, nights and figures of its rows are rows of tables of their own. */
  readonly hasParts?: true;
  /** Its texts are deleted once they are as old as the configuration allows. */
  readonly textsAge?: true;
  /** Whether a row that nobody has seen before waits for somebody's answer. */
  needsAnswer?(raw: Fields): boolean;
  /**
   * Other keys that a change of this row changes, and that get no event of their own.
   * @param diff what has changed; null: the row is new or gone
   */
  touches?(raw: Fields, diff: readonly FieldChange[] | null): readonly { resource: string; key: string }[];
  /** A row that came and went between two reads may have been counted into bookings. */
  readonly leavesSuspects?: boolean;
  /** The lists that hold all of its rows together. Given where rows are read by whole lists only. */
  readonly lists?: readonly WholeList[];
  /** The rows of other kinds that a row names and that no event announces. */
  names?(raw: Fields): readonly RowName[];
  /** Where rows that were announced, and are not there yet, will show: one request for many of them. */
  readonly newest?: NewestRows;
}

/** A list in which rows that were just made usually stand. One that does not is looked up by itself in the end. */
export interface NewestRows {
  /** The event that announces a new row. */
  event: string;
  /** @param today the operator's date */
  read(client: Client, reading: Reading, options: CallOptions, today: PlainDate): Promise<Page>;
}

/** A list that one request answers whole. */
export interface WholeList {
  /** Whether a row with this key would stand in it. */
  holds(key: string): boolean;
  read(client: Client, reading: Reading, options: CallOptions): Promise<Page>;
}

/** A row of another kind, by the words of dirty keys. */
export interface RowName {
  resource: string;
  key: string;
}

/** What a field names that holds an id: nothing when it is 0, null or no number at all. */
export function named(resource: string, given: unknown, prefix = ''): readonly RowName[] {
  const id = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? [{ resource, key: `${prefix}${id}` }] : [];
}

/** A name or a code as text, however the wire spells it; undefined where there is none. */
export function textIn(raw: Fields, field: string): string | undefined {
  const value = raw[field];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

type KnownRow<Schema extends z.ZodType> = Known<NonNullable<z.output<Schema>>>;
type Keyed<Row, Key extends keyof Row> = Row & { [Field in Key]: NonNullable<Row[Field]> };

/** How to make {@link IncomingRow}s of one kind; the types of the contract end here. */
export interface RowReader<Schema extends z.ZodType, Key extends keyof KnownRow<Schema> & string> {
  schema: Schema;
  /** The wire fields that name the row: all that is demanded of it. */
  keyFields: readonly [Key, ...Key[]];
  /** What else can name it, where fields of the key are not known. */
  otherNames?(row: KnownRow<Schema>): Partial<KnownRow<Schema>>;
  rowKey(row: Keyed<KnownRow<Schema>, Key>, reading: Reading): string | number;
  key(row: Keyed<KnownRow<Schema>, Key>): string;
  columns(row: Keyed<KnownRow<Schema>, Key>, reading: Reading): Columns;
  guests?(row: Keyed<KnownRow<Schema>, Key>, personal: PersonalValues, reading: Reading): readonly GuestsTable[];
  aside?(row: Keyed<KnownRow<Schema>, Key>, reading: Reading): SideValues;
}

const noGuests: readonly GuestsTable[] = [];
const noSideValues: SideValues = {};

/** Makes the function that turns what is known of rows, and their raw forms, into incoming rows. */
export function rowReader<Schema extends z.ZodType, Key extends keyof KnownRow<Schema> & string>(
  reader: RowReader<Schema, Key>,
) {
  const separate = separator(reader.schema);
  const [nameField] = reader.keyFields;

  const rowOf = (value: Keyed<KnownRow<Schema>, Key>, raw: Fields, reading: Reading): IncomingRow => {
    const rowKey = reader.rowKey(value, reading);
    const key = reader.key(value);
    const { stripped, personal } = separate(raw, String(rowKey));
    return {
      rowKey,
      key,
      part: key === String(rowKey) ? null : String(rowKey),
      raw: stripped,
      rawText: JSON.stringify(stripped),
      personal,
      guests: reader.guests?.(value, personal, reading) ?? noGuests,
      values: reader.guests ? noValues : flatValues(personal),
      columns: () => reader.columns(value, reading),
      aside: () => reader.aside?.(value, reading) ?? noSideValues,
    };
  };

  return (
    values: readonly KnownRow<Schema>[],
    answer: { raw: readonly Fields[]; quarantined: readonly QuarantinedRow[] },
    reading: Reading,
  ): Page => {
    const rows: IncomingRow[] = [];
    const quarantined = answer.quarantined.map((row) => unreadableRow(row, nameField, separate));
    for (const [index, given] of values.entries()) {
      const value = reader.otherNames ? Object.assign({}, given, reader.otherNames(given)) : given;
      const raw = answer.raw[index] ?? {};
      const lacking = reader.keyFields.find((field) => value[field] === null);
      if (lacking === undefined) rows.push(rowOf(value as Keyed<KnownRow<Schema>, Key>, raw, reading));
      else quarantined.push(unreadableRow({ raw, problem: keyProblem(raw, lacking) }, nameField, separate));
    }
    return { rows, quarantined };
  };
}

/** Why a row has no name: which field, and what is wrong with it, without its value. */
function keyProblem(raw: Fields, field: string): string {
  const given = raw[field];
  if (given === undefined) return `${field}: missing`;
  return given === null
    ? `${field}: null`
    : `${field}: cannot be read (${Array.isArray(given) ? 'list' : typeof given})`;
}

function unreadableRow(
  { raw, problem }: QuarantinedRow,
  keyField: string,
  separate: ReturnType<typeof separator>,
): UnreadableRow {
  if (typeof raw !== 'object' || raw === null) return { key: sha256Hex(String(raw)), problem, rawText: null };
  const fields = raw as Fields;
  const key = textIn(fields, keyField) ?? sha256Hex(JSON.stringify(raw));
  return { key, problem, rawText: JSON.stringify(separate(fields, key).stripped) };
}
