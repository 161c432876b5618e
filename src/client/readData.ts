import { z } from 'zod';
import type { Operation } from '../contract/operation.ts';
import { useFirstSpellings } from '../contract/spell.ts';
import { turn } from '../kernel/clock.ts';
import type { Fields } from './fields.ts';

/** A row of a list that does not fit the contract; the others go on. */
export interface QuarantinedRow {
  raw: unknown;
  /** Which field and why, without its value. */
  problem: string;
}

/** What the other side answered: checked values, and the same rows as they came, unknown fields kept. */
export interface ReadData {
  data: unknown;
  /** The rows of a list, aligned with those in `data`; for other operations the one object of `data`. */
  raw: readonly Fields[];
  quarantined: readonly QuarantinedRow[];
}

/** Thrown when `data` as a whole is not what the contract says. */
export class UnreadableData extends Error {
  override readonly name = 'UnreadableData';
}

/**
 * Makes the reader of an operation's `data`. Answers are checked like user input, but tolerantly: unknown
 * fields and unknown values of open sets pass, and one bad row of a list does not spoil the page.
 */
export function dataReader(operation: Operation): (data: unknown) => ReadData | Promise<ReadData> {
  const list = listField(operation.data);
  return list ? listReader(operation.data, list.name, list.row) : objectReader(operation.data);
}

function objectReader(schema: z.ZodType): (data: unknown) => ReadData {
  const spell = useFirstSpellings(schema);
  if (schema instanceof z.ZodUndefined) return () => ({ data: undefined, raw: [], quarantined: [] });
  return (data) => {
    spell(data);
    const result = schema.safeParse(data);
    if (!result.success) throw new UnreadableData(problemOf(result.error));
    return { data: result.data, raw: isFields(data) ? [data] : [], quarantined: [] };
  };
}

/** Rows are checked so many at a time, and others have their turn: a page can have more than was asked for. */
const ROWS_AT_ONCE = 500;

function listReader(schema: z.ZodType, name: string, row: z.ZodType): (data: unknown) => Promise<ReadData> {
  const spell = useFirstSpellings(row);
  return async (data) => {
    const given = isFields(data) ? data[name] : undefined;
    if (!isFields(data) || !Array.isArray(given)) throw new UnreadableData(`${name}: no list`);
    const rest = schema.safeParse({ ...data, [name]: [] });
    if (!rest.success) throw new UnreadableData(problemOf(rest.error));
    const rows: unknown[] = [];
    const raw: Fields[] = [];
    const quarantined: QuarantinedRow[] = [];
    for (const [index, one] of (given as unknown[]).entries()) {
      if (index > 0 && index % ROWS_AT_ONCE === 0) await turn();
      spell(one);
      const result = row.safeParse(one);
      if (result.success && isFields(one)) {
        rows.push(result.data);
        raw.push(one);
      } else {
        quarantined.push({ raw: one, problem: result.error ? problemOf(result.error) : 'not an object' });
      }
    }
    return { data: { ...(rest.data as Fields), [name]: rows }, raw, quarantined };
  };
}

/** The one field of `data` that is a list of objects, if there is exactly one. */
function listField(schema: z.ZodType): { name: string; row: z.ZodType } | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined;
  const lists = Object.entries(schema.shape as Record<string, z.ZodType>)
    .filter((entry): entry is [string, z.ZodArray<z.ZodType>] => entry[1] instanceof z.ZodArray)
    .filter(([, list]) => list.element instanceof z.ZodObject);
  const [only] = lists;
  return lists.length === 1 && only ? { name: only[0], row: only[1].element } : undefined;
}

/** The first problem as `field.path: message`; values stay out, they may be personal. */
function problemOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue ? `${issue.path.join('.')}: ${issue.message}` : 'does not fit';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
