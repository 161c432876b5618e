import type { z } from 'zod';
import { type SpellingPair, spellings } from './spellings.ts';
import { partsOf } from './schemaParts.ts';

type Fields = Record<string, unknown>;
type Visit = (value: unknown) => void;
type VisitFields = (fields: Fields, pairs: readonly SpellingPair[]) => void;

/** Thrown when a request gives both spellings of a field with different values. */
export class SpellingConflict extends Error {
  readonly pair: SpellingPair;
  constructor(pair: SpellingPair) {
    super(`${pair.name} and ${pair.second} are the same field; send one of them`);
    this.pair = pair;
  }
}

/**
 * Returns a function that adds the second spelling of fields to each object of an answer, in place. A second spelling
 * that is present remains.
 */
export function addSecondSpellings(schema: z.ZodType): Visit {
  return visitor(schema, (fields, pairs) => {
    for (const { name, second, toSecond } of pairs) {
      if (name in fields && !(second in fields)) fields[second] = toSecond ? toSecond(fields[name]) : fields[name];
    }
  });
}

/**
 * Returns a function that fills fields sent only in their second spelling, in place. The second spelling remains
 * unchanged.
 */
export function useFirstSpellings(schema: z.ZodType): Visit {
  return visitor(schema, (fields, pairs) => {
    for (const { name, second, fromSecond } of pairs) {
      if (fields[name] === undefined && fields[second] !== undefined) {
        fields[name] = fromSecond ? fromSecond(fields[second]) : fields[second];
      }
    }
  });
}

/**
 * Returns {@link useFirstSpellings} for a request. It throws {@link SpellingConflict} if both spellings have different
 * values.
 */
export function acceptEitherSpelling(schema: z.ZodType): Visit {
  const fill = useFirstSpellings(schema);
  const check = visitor(schema, (fields, pairs) => {
    for (const pair of pairs) {
      const first = fields[pair.name];
      const second = fields[pair.second];
      if (first === undefined || second === undefined) continue;
      const same = pair.fromSecond ? pair.fromSecond(second) : second;
      if (JSON.stringify(first) !== JSON.stringify(same)) throw new SpellingConflict(pair);
    }
  });
  return (value) => {
    check(value);
    fill(value);
  };
}

/**
 * Returns the name by which a caller knows a field: the spelling among those sent, or else the one that callers read in
 * wire.md.
 */
export function spellingUsed(schema: z.ZodType, sent: ReadonlySet<string>, name: string): string {
  const family = schema.meta()?.family;
  const pair = spellings.find((one) => one.family === family && one.name === name);
  return pair && !sent.has(name) ? pair.second : name;
}

/** Compiles a schema once and returns a function that visits the objects whose family has pairs. */
function visitor(schema: z.ZodType, visit: VisitFields): Visit {
  return compile(schema, visit) ?? (() => {});
}

function compile(schema: z.ZodType, visit: VisitFields): Visit | undefined {
  const def = partsOf(schema);
  if (def.innerType) return compile(def.innerType, visit);
  if (def.element) {
    const inner = compile(def.element, visit);
    return inner && ((value) => Array.isArray(value) && value.forEach(inner));
  }
  if (def.options) {
    const inner = def.options.map((option) => compile(option, visit)).filter((step) => step !== undefined);
    return inner.length === 0 ? undefined : (value) => inner.forEach((step) => step(value));
  }
  if (!def.shape) return undefined;
  const family = schema.meta()?.family;
  const pairs = spellings.filter((pair) => pair.family === family);
  const fields = Object.entries(def.shape)
    .map(([name, field]) => ({ name, step: compile(field, visit) }))
    .filter((field): field is { name: string; step: Visit } => field.step !== undefined);
  if (pairs.length === 0 && fields.length === 0) return undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null) return;
    const object = value as Fields;
    for (const { name, step } of fields) step(object[name]);
    if (pairs.length > 0) visit(object, pairs);
  };
}
