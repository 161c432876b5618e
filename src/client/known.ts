import type { z } from 'zod';
import type { Fields } from './fields.ts';
import { partsOf } from '../contract/schemaParts.ts';

/**
 * A value as another deployment may send it: every field of an object can be unknown, which is null, if it was missing,
 * null, or of an unusable type. Unreadable entries of a list are left out.
 */
export type Known<T> = unknown extends T
  ? T
  : T extends readonly (infer Element)[]
    ? Known<NonNullable<Element>>[]
    : T extends object
      ? { [Field in keyof T]-?: Known<NonNullable<T[Field]>> | null }
      : T;

/** Fields that were missing and fields of another type, by path below a row (`guests[].country`). */
export interface Unknowns {
  readonly missing: Map<string, number>;
  readonly unreadable: Map<string, number>;
}

type Read = (value: unknown) => unknown;

/**
 * Creates the tolerant reader of a schema of the contract. Nothing is required. Numbers and flags may be text, and text
 * may be numbers; words outside a set and unknown fields are harmless. The code that stores a row decides which fields
 * the row needs.
 * @param unknowns counts the unknown fields
 */
export function tolerantReader<Schema extends z.ZodType>(
  schema: Schema,
  unknowns: Unknowns,
): (value: unknown) => Known<NonNullable<z.output<Schema>>> | null {
  return compile(schema, '', unknowns) as (value: unknown) => Known<NonNullable<z.output<Schema>>> | null;
}

function compile(schema: z.ZodType, path: string, unknowns: Unknowns): Read {
  const def = partsOf(schema);
  if (def.innerType) return compile(def.innerType, path, unknowns);
  if (def.shape) return objectReader(def.shape, path, unknowns);
  if (def.element) return listReader(compile(def.element, `${path}[]`, unknowns));
  if (def.valueType) return recordReader(compile(def.valueType, `${path}.*`, unknowns));
  if (def.options) return firstOf(def.options.map((option) => compile(option, path, unknowns)));
  if (def.type === 'literal') return (value) => (def.values?.includes(value) ? value : null);
  if (def.type === 'string') return def.checks?.length ? textFitting(schema) : textOf;
  if (def.type === 'enum') return textOf;
  if (def.type === 'number') return def.format === 'safeint' ? integerOf : numberOf;
  if (def.type === 'boolean') return flagOf;
  return (value) => value ?? null;
}

function objectReader(shape: Record<string, z.ZodType>, path: string, { missing, unreadable }: Unknowns): Read {
  const fields = Object.entries(shape).map(([name, field]) => {
    const own = path === '' ? name : `${path}.${name}`;
    return { name, own, isOptional: isOptional(field), read: compile(field, own, { missing, unreadable }) };
  });
  return (given) => {
    const value = fieldsOf(given);
    if (!value) return null;
    const known: Fields = {};
    for (const { name, own, isOptional: mayMiss, read } of fields) {
      const field = value[name];
      known[name] = field === null || field === undefined ? null : read(field);
      if (field === undefined && !mayMiss) countIn(missing, own);
      else if (known[name] === null && field !== null && field !== undefined) countIn(unreadable, own);
    }
    return known;
  };
}

/** Returns an object. Some services write an object without fields as an empty list. */
function fieldsOf(value: unknown): Fields | undefined {
  if (Array.isArray(value)) return value.length === 0 ? {} : undefined;
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
}

function isOptional(schema: z.ZodType): boolean {
  const { type, innerType } = partsOf(schema);
  return type === 'optional' || (innerType !== undefined && isOptional(innerType));
}

function countIn(counts: Map<string, number>, path: string): void {
  counts.set(path, (counts.get(path) ?? 0) + 1);
}

function listReader(read: Read): Read {
  return (value) => {
    if (!Array.isArray(value)) return null;
    return value.map((entry: unknown) => (entry === null ? null : read(entry))).filter((entry) => entry !== null);
  };
}

function recordReader(read: Read): Read {
  return (given) => {
    const value = fieldsOf(given);
    if (!value) return null;
    const entries = Object.entries(value).map(([name, entry]) => [name, entry === null ? null : read(entry)]);
    return Object.fromEntries(entries) as Fields;
  };
}

function firstOf(readers: readonly Read[]): Read {
  return (value) => {
    for (const read of readers) {
      const known = read(value);
      if (known !== null) return known;
    }
    return null;
  };
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** Applies the contract's rules of a text, without which nothing could use it. */
function textFitting(schema: z.ZodType): Read {
  return (value) => {
    const text = textOf(value);
    return text !== null && schema.safeParse(text).success ? text : null;
  };
}

const NUMERIC = /^\s*[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\s*$/;

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && NUMERIC.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

function integerOf(value: unknown): number | null {
  const number = numberOf(value);
  return number !== null && Number.isSafeInteger(number) ? number : null;
}

const FLAGS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ['1', true],
  ['true', true],
  [false, false],
  [0, false],
  ['0', false],
  ['false', false],
]);

function flagOf(value: unknown): boolean | null {
  return FLAGS.get(value) ?? null;
}
