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

type Scalar = string | number | null;
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

/** A row of an answer, ready for comparison with the mirror. */
export interface IncomingRow {
  /** The value of the key column. */
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
  /** The rows of `personal_values`, for resources that store theirs there. */
  values: Values;
  /** Set if its text is too old to store: the stored text is about to be deleted. */
  isAged?: true;
  /** Returns the typed columns, without connection, facts and raw. Called only when the row is written. */
  columns(): Columns;
  /** Returns the values of the row in tables beside its own. Called only when they are written or compared. */
  aside(): SideValues;
}

/** A row without a usable key, and without its personal values. */
export interface UnreadableRow {
  key: string;
  problem: string;
  rawText: string | null;
}

/** The content of an answer, for apply and compare. */
export interface Page {
  rows: readonly IncomingRow[];
  quarantined: readonly UnreadableRow[];
  /** Set if the page is not everything under the key: a row that is missing from it may exist. */
  partial?: boolean;
  /** Awaited rows that the answer lacks. */
  missing?: readonly string[];
  /** The kinds of rows that the same answer shows under the same keys, and that are applied as well. */
  beside?: readonly string[];
}

/** The context in which rows are read: their connection and its settings. */
export interface Reading {
  connection: string;
  /** The time zone of the account, for moments without an offset. */
  zone: string;
  /** The unit that has a review of its own there. */
  reviewsBy: Profile['reviews_by'];
}

/** Work on tables beside the row's own, in the transaction of the rows. */
export interface SideTables {
  /** Deletes the dependents of rows that are about to be replaced or are gone. Their old columns are still stored. */
  clear(trx: MirrorTrx, connection: string, rowKeys: readonly (string | number)[]): Promise<void>;
  /** Writes the dependents of rows that have just been written. */
  write(trx: MirrorTrx, connection: string, rows: readonly WrittenRow[]): Promise<void>;
  /** Computes the sums over the rows of these keys again; `written` are the rows among them that were just written. */
  sum(
    trx: MirrorTrx,
    connection: string,
    keys: readonly string[],
    at: Instant,
    written: readonly WrittenRow[],
  ): Promise<void>;
  /** Finds mistakes in the tables beside these rows, by row key; correct rows are left out. */
  compare(trx: MirrorTrx, connection: string, rows: readonly IncomingRow[]): Promise<Map<string, string[]>>;
}

/** A row that was just written. */
export interface WrittenRow {
  row: IncomingRow;
  /** Its typed columns. */
  columns: Columns;
}

/** One kind of row: its tables, and the ways to read it. */
export interface MirrorResource {
  /** The name of the resource in events, dirty keys and the feed. */
  readonly name: string;
  readonly table: RowTable;
  readonly keyColumn: string;
  /** The column that holds the key of events; the same as keyColumn where each key is one row. */
  readonly groupColumn: string;
  /** Set if its list may become much shorter, or empty, in ordinary use: two readings that agree are believed. */
  readonly mayShrink?: true;
  readonly sideTables?: SideTables;
  /** Reads everything under a key: no rows if it is gone upstream. Left out: only whole lists can be read. */
  lookUp?(
    client: Client,
    reading: Reading,
    key: string,
    options: CallOptions,
    awaited?: ReadonlySet<string>,
  ): Promise<Page>;
  /** Returns the row that an event promises under its key: an answer without it is too early. */
  awaits?(event: Fields): string | undefined;
  /** Set if its personal values are in `personal_values`. */
  readonly keepsValues?: boolean;
  /** Guests, nights and figures of its rows are rows of tables of their own. */
  readonly hasParts?: true;
  /** Its texts are deleted once they are as old as the configuration allows. */
  readonly textsAge?: true;
  /** Returns true if a row that was never seen before waits for an answer. */
  needsAnswer?(raw: Fields): boolean;
  /**
   * Returns other keys that a change of this row changes, and that get no event of their own.
   * @param diff the changes; null: the row is new or gone
   */
  touches?(raw: Fields, diff: readonly FieldChange[] | null): readonly { resource: string; key: string }[];
  /** Set if a row that came and went between two reads may have been counted into reservations. */
  readonly leavesSuspects?: boolean;
  /** The lists that together hold all of its rows. Given where rows are read by whole lists only. */
  readonly lists?: readonly WholeList[];
  /** Returns the rows of other kinds that a row names and that no event announces. */
  names?(raw: Fields): readonly RowName[];
  /** The list that will show announced rows that do not show yet: one request for many of them. */
  readonly newest?: NewestRows;
}

/** A list that usually contains the newest rows. A row that it lacks is looked up by itself in the end. */
export interface NewestRows {
  /** The event that announces a new row. */
  event: string;
  /** @param today the operator's date */
  read(client: Client, reading: Reading, options: CallOptions, today: PlainDate): Promise<Page>;
}

/** A list that one request answers whole. */
export interface WholeList {
  /** Returns true if the list would contain a row with this key. */
  holds(key: string): boolean;
  read(client: Client, reading: Reading, options: CallOptions): Promise<Page>;
}

/** A row of another kind, as dirty keys name it. */
export interface RowName {
  resource: string;
  key: string;
}

/** Returns the row that a field with an id names; nothing if it is 0, null or no number. */
export function named(resource: string, given: unknown, prefix = ''): readonly RowName[] {
  const id = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? [{ resource, key: `${prefix}${id}` }] : [];
}

/** Returns a name or a code as text, however the wire spells it; undefined if there is none. */
export function textIn(raw: Fields, field: string): string | undefined {
  const value = raw[field];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

type KnownRow<Schema extends z.ZodType> = Known<NonNullable<z.output<Schema>>>;
type Keyed<Row, Key extends keyof Row> = Row & { [Field in Key]: NonNullable<Row[Field]> };

/** Instructions for making {@link IncomingRow}s of one kind. Types of the contract do not pass beyond it. */
interface RowReader<Schema extends z.ZodType, Key extends keyof KnownRow<Schema> & string> {
  schema: Schema;
  /** The wire fields that name the row. No other field is required. */
  keyFields: readonly [Key, ...Key[]];
  /** Returns other names for the row where fields of the key are unknown. */
  otherNames?(row: KnownRow<Schema>): Partial<KnownRow<Schema>>;
  rowKey(row: Keyed<KnownRow<Schema>, Key>, reading: Reading): string | number;
  key(row: Keyed<KnownRow<Schema>, Key>): string;
  columns(row: Keyed<KnownRow<Schema>, Key>, reading: Reading): Columns;
  guests?(row: Keyed<KnownRow<Schema>, Key>, personal: PersonalValues, reading: Reading): readonly GuestsTable[];
  aside?(row: Keyed<KnownRow<Schema>, Key>, reading: Reading): SideValues;
}

const noGuests: readonly GuestsTable[] = [];
const noSideValues: SideValues = {};

/** Makes the function that turns known values of rows, and their raw forms, into incoming rows. */
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

/** Returns the reason why a row has no key: the field, and its problem, without its value. */
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
