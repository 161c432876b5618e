import type { z } from 'zod';
import type { Vocabulary } from '../fields.ts';
import { type Direction, isFields, omitter, rearranger } from './fieldRules.ts';
import type { Convert } from './forms.ts';
import type { Profile } from './profile.ts';
import { partsOf } from '../schemaParts.ts';

/** Options of a translation. */
export interface Translating {
  readonly profile: Profile;
  readonly direction: Direction;
  /** true: fields that the dialect does not have are left out. */
  readonly leavesOut: boolean;
}

/**
 * Returns a function that translates values along a schema of the contract, objects in place; undefined where the
 * profile agrees with the description.
 * @param family family of an object that names none itself
 */
export function translator(how: Translating, schema: z.ZodType, family?: string): Convert | undefined {
  const def = partsOf(schema);
  const { vocabulary, keyVocabulary, commaList, ...meta } = schema.meta() ?? {};
  const words = vocabulary && wordsOf(how, vocabulary);
  if (words) return commaList === undefined ? words : eachOf(words);
  if (def.innerType) return translator(how, def.innerType, family);
  if (def.element) {
    const inner = translator(how, def.element);
    return inner && ((value) => (Array.isArray(value) ? inPlace(value, inner) : value));
  }
  if (def.options) return def.options.map((one) => translator(how, one, family)).find((one) => one !== undefined);
  if (!def.shape) return undefined;
  return objectTranslator(how, def.shape, {
    family: meta.family ?? family,
    keys: keyVocabulary && wordsOf(how, keyVocabulary),
  });
}

interface Named {
  readonly family: string | undefined;
  /** Translates the names of the fields. */
  readonly keys: Convert | undefined;
}

function objectTranslator(
  how: Translating,
  shape: Record<string, z.ZodType>,
  { family, keys }: Named,
): Convert | undefined {
  const { profile, direction, leavesOut } = how;
  const fields = Object.entries(shape)
    .map(([name, field]) => ({ name, convert: translator(how, field) }))
    .filter((field): field is { name: string; convert: Convert } => field.convert !== undefined);
  const rearrange = family === undefined ? undefined : rearranger(how, family, Object.keys(shape));
  const omit = leavesOut && family !== undefined ? omitter(profile.serving.rows_without[family]) : undefined;
  const additions = leavesOut && !profile.additions ? omitter(additionsIn(shape)) : undefined;
  if (fields.length === 0 && !rearrange && !keys && !omit && !additions) return undefined;
  const inside = (object: Record<string, unknown>) => {
    for (const { name, convert } of fields) {
      const value = object[name];
      if (value !== undefined && value !== null) object[name] = convert(value);
    }
  };
  return (value) => {
    if (!isFields(value)) return value;
    // Fields are translated while they carry our names: after the renaming on the way in, before it on the way out.
    if (direction === 'fromTheirs') {
      if (keys) renameKeys(value, keys);
      rearrange?.(value);
      inside(value);
      return value;
    }
    omit?.(value);
    additions?.(value);
    inside(value);
    rearrange?.(value);
    if (keys) renameKeys(value, keys);
    return value;
  };
}

function additionsIn(shape: Record<string, z.ZodType>): string[] {
  return Object.entries(shape).flatMap(([name, field]) => (field.meta()?.addition === true ? [name] : []));
}

function renameKeys(fields: Record<string, unknown>, keys: Convert): void {
  for (const [name, value] of Object.entries(fields)) {
    const renamed = keys(name) as string;
    if (renamed === name || renamed in fields) continue;
    Reflect.deleteProperty(fields, name);
    fields[renamed] = value;
  }
}

function inPlace(list: unknown[], convert: Convert): unknown[] {
  for (const [index, one] of list.entries()) list[index] = convert(one);
  return list;
}

/**
 * Returns the translator for the words of one set; undefined where the profile has none of its own. Unknown words pass
 * unchanged.
 */
function wordsOf({ profile, direction }: Translating, vocabulary: Vocabulary): Convert | undefined {
  const words = new Map(
    Object.entries(profile.words[vocabulary] ?? {}).flatMap(([ours, theirs]): [string, string][] =>
      direction === 'toTheirs' ? [[ours, theirs[0] ?? ours]] : theirs.map((word) => [word, ours]),
    ),
  );
  if ([...words].every(([one, other]) => one === other)) return undefined;
  return (value) => (typeof value === 'string' ? (words.get(value) ?? value) : value);
}

/** Applies a translator to each word of a comma-separated text. */
function eachOf(words: Convert): Convert {
  return (value) => (typeof value === 'string' ? value.split(',').map(words).join(',') : value);
}
