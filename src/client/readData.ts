import { z } from 'zod';
import type { Operation } from '../contract/operation.ts';
import { useFirstSpellings } from '../contract/spell.ts';
import { turn } from '../kernel/clock.ts';
import type { Fields } from './fields.ts';
import { type Known, tolerantReader, type Unknowns } from './known.ts';

/** An entry of a list that is no row at all; the other entries are read. */
export interface QuarantinedRow {
  raw: unknown;
  /** The field and the reason, without its value. */
  problem: string;
}

/** An answer of the other side: its known part, and the same rows as received, with unknown fields. */
export interface ReadData {
  data: unknown;
  /** The rows of a list, aligned with those in `data`; for other operations the one object of `data`. */
  raw: readonly Fields[];
  quarantined: readonly QuarantinedRow[];
}

/** The known part of an answer's `data`. Its list of rows always exists: an answer without it is unreadable. */
export type KnownData<T> = [NonNullable<T>] extends [never]
  ? undefined
  : {
      [Field in keyof NonNullable<T>]-?: Field extends OnlyList<NonNullable<T>>
        ? Known<NonNullable<NonNullable<T>[Field]>>
        : Known<NonNullable<NonNullable<T>[Field]>> | null;
    };

/** The field that holds the rows: the only list of objects. */
type OnlyList<T> = IsUnion<ObjectLists<T>> extends true ? never : ObjectLists<T>;
type ObjectLists<T> = {
  [Field in keyof T]-?: NonNullable<T[Field]> extends readonly object[] ? Field : never;
}[keyof T];
type IsUnion<T, Whole = T> = T extends unknown ? ([Whole] extends [T] ? false : true) : never;

/** Thrown if `data` as a whole is unreadable: no list where rows are due, no object where one is. */
export class UnreadableData extends Error {
  override readonly name = 'UnreadableData';
}

export interface DataReader {
  read(data: unknown): ReadData | Promise<ReadData>;
  /** Returns the number of rows read and their unknown fields since the last call. */
  takeUnknowns(): RowsUnknowns;
}

export interface RowsUnknowns extends Unknowns {
  rows: number;
}

/**
 * Creates the reader of an operation's `data`. Only the form is required: a list of rows, or an object. The code that
 * stores a row decides which fields the row needs.
 */
export function dataReader(operation: Operation): DataReader {
  const list = listField(operation.data);
  return list ? listReader(operation.data, list.name, list.row) : objectReader(operation);
}

/** The counts of rows read until they are taken. */
class Counting {
  readonly unknowns: Unknowns = { missing: new Map(), unreadable: new Map() };
  rows = 0;

  take(): RowsUnknowns {
    const { missing, unreadable } = this.unknowns;
    const taken = { rows: this.rows, missing: new Map(missing), unreadable: new Map(unreadable) };
    this.rows = 0;
    missing.clear();
    unreadable.clear();
    return taken;
  }
}

function objectReader({ method, data: schema }: Operation): DataReader {
  const counting = new Counting();
  const takeUnknowns = () => counting.take();
  if (schema instanceof z.ZodUndefined) {
    return { read: () => ({ data: undefined, raw: [], quarantined: [] }), takeUnknowns };
  }
  const spell = useFirstSpellings(schema);
  const known = tolerantReader(schema, counting.unknowns);
  // Some services answer a write with nothing but its success.
  const mayMiss = method !== 'GET';
  return {
    read(given) {
      const data: unknown = (given === undefined || given === null) && mayMiss ? {} : given;
      spell(data);
      const result = known(data);
      if (result === null) throw new UnreadableData('no object');
      counting.rows += 1;
      return { data: result, raw: isFields(data) ? [data] : [{}], quarantined: [] };
    },
    takeUnknowns,
  };
}

/** Rows that are read at once before other work runs: a page can have more rows than requested. */
const ROWS_AT_ONCE = 500;

function listReader(schema: z.ZodType, name: string, row: z.ZodType): DataReader {
  const counting = new Counting();
  const spell = useFirstSpellings(row);
  const knownRow = tolerantReader(row, counting.unknowns);
  // Fields beside the rows belong to the page, so they are not counted.
  const knownRest = tolerantReader(schema, { missing: new Map(), unreadable: new Map() });
  return {
    async read(data) {
      const given = isFields(data) ? data[name] : undefined;
      if (!isFields(data) || !Array.isArray(given)) throw new UnreadableData(`${name}: no list`);
      const rows: unknown[] = [];
      const raw: Fields[] = [];
      const quarantined: QuarantinedRow[] = [];
      for (const [index, one] of (given as unknown[]).entries()) {
        if (index > 0 && index % ROWS_AT_ONCE === 0) await turn();
        spell(one);
        const known = isFields(one) ? knownRow(one) : null;
        if (known !== null && isFields(one)) {
          rows.push(known);
          raw.push(one);
        } else {
          quarantined.push({ raw: one, problem: 'not an object' });
        }
      }
      counting.rows += rows.length;
      const rest = knownRest({ ...data, [name]: [] }) as unknown as Fields;
      return { data: { ...rest, [name]: rows }, raw, quarantined };
    },
    takeUnknowns: () => counting.take(),
  };
}

/** Returns the one field of `data` that is a list of objects, if there is exactly one. */
function listField(schema: z.ZodType): { name: string; row: z.ZodType } | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined;
  const lists = Object.entries(schema.shape as Record<string, z.ZodType>)
    .filter((entry): entry is [string, z.ZodArray<z.ZodType>] => entry[1] instanceof z.ZodArray)
    .filter(([, list]) => list.element instanceof z.ZodObject);
  const [only] = lists;
  return lists.length === 1 && only ? { name: only[0], row: only[1].element } : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
