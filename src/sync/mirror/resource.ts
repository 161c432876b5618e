import type { z } from 'zod';
import type { CallOptions, Client } from '../../client/client.ts';
import type { Fields } from '../../client/fields.ts';
import type { QuarantinedRow } from '../../client/readData.ts';
import type { Instant } from '../../kernel/dates.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import type { GuestsTable, MirrorTrx } from '../database.ts';
import { type PersonalValues, separator } from '../personal.ts';

export type Scalar = string | number | null;
export type Columns = Record<string, Scalar>;

/** The tables whose rows are read from upstream one by one and share the same facts. */
export type RowTable =
  | 'stays'
  | 'transactions'
  | 'properties'
  | 'custom_channels'
  | 'dictionary_items'
  | 'accounts'
  | 'automation_actions'
  | 'knowledge_bases'
  | 'staffs'
  | 'tasks'
  | 'webhooks';

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
  /** The typed columns, without connection, facts and raw. Only asked for when the row is written. */
  columns(): Columns;
}

/** A row that does not fit the contract, without its personal values. */
export interface UnfitRow {
  key: string;
  problem: string;
  rawText: string | null;
}

/** What an answer held, for apply and compare. */
export interface Page {
  rows: readonly IncomingRow[];
  unfit: readonly UnfitRow[];
}

/** What rows are read in: the connection they belong to and its time zone. */
export interface Reading {
  connection: string;
  zone: string;
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
  /** Rows that are meant to vanish, all at once too: that many are missing says nothing about upstream. */
  readonly passing?: true;
  readonly sideTables?: SideTables;
  /** Everything that stands under a key: no rows when it is gone upstream. Left out: only whole lists can be read. */
  lookUp?(client: Client, reading: Reading, key: string, options: CallOptions): Promise<Page>;
  /** Another key that a change of this row changes, and that gets no event of its own. */
  touches?(raw: Fields): { resource: string; key: string } | undefined;
  /** The property that a row names, if it names one. */
  property?(raw: Fields): number | undefined;
}

/** The property that a row's `property_id` names; 0 and null name none. */
export function namedProperty(raw: Fields): number | undefined {
  const id = raw['property_id'];
  return typeof id === 'number' && id > 0 ? id : undefined;
}

/** How to make {@link IncomingRow}s of one kind; the types of the contract end here. */
export interface RowReader<Value> {
  schema: z.ZodType<Value>;
  /** The wire field that names the row, also where the rest of it does not fit. */
  keyField: string;
  rowKey(value: Value): string | number;
  key(value: Value): string;
  columns(value: Value, reading: Reading): Columns;
  guests?(value: Value, personal: PersonalValues, reading: Reading): readonly GuestsTable[];
}

const noGuests: readonly GuestsTable[] = [];

/** Makes the function that turns checked rows and their raw forms into incoming rows. */
export function rowReader<Value>(reader: RowReader<Value>) {
  const separate = separator(reader.schema);
  return (
    values: readonly Value[],
    answer: { raw: readonly Fields[]; quarantined: readonly QuarantinedRow[] },
    reading: Reading,
  ): Page => {
    const rows = values.map((value, index): IncomingRow => {
      const rowKey = reader.rowKey(value);
      const key = reader.key(value);
      const { stripped, personal } = separate(answer.raw[index] ?? {}, String(rowKey));
      return {
        rowKey,
        key,
        part: key === String(rowKey) ? null : String(rowKey),
        raw: stripped,
        rawText: JSON.stringify(stripped),
        personal,
        guests: reader.guests?.(value, personal, reading) ?? noGuests,
        columns: () => reader.columns(value, reading),
      };
    });
    return { rows, unfit: answer.quarantined.map((row) => unfitRow(row, reader.keyField, separate)) };
  };
}

function unfitRow(
  { raw, problem }: QuarantinedRow,
  keyField: string,
  separate: ReturnType<typeof separator>,
): UnfitRow {
  if (typeof raw !== 'object' || raw === null) return { key: sha256Hex(String(raw)), problem, rawText: null };
  const fields = raw as Fields;
  const given = fields[keyField];
  const key = typeof given === 'string' || typeof given === 'number' ? String(given) : sha256Hex(JSON.stringify(raw));
  return { key, problem, rawText: JSON.stringify(separate(fields, key).stripped) };
}
