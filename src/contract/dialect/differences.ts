import { z } from 'zod';
import type { Vocabulary } from '../fields.ts';
import { spellings } from '../spellings.ts';
import { isFields } from './fieldRules.ts';
import { partsOf } from '../schemaParts.ts';

/** A field found in answers, known to the contract or not. */
interface FieldFinding {
  /** Path such as `reservations.rates.tax`. Lists add no segment. */
  readonly path: string;
  /** Number of surrounding objects that have the field. */
  rows: number;
  /** Number of surrounding objects. */
  of: number;
}

/** An unknown word in a field for which the contract knows some words. */
interface WordFinding {
  readonly path: string;
  readonly word: string;
  readonly vocabulary: Vocabulary | undefined;
}

/** A missing field beside an unknown one: perhaps the same field under another name. */
interface Unmatched {
  readonly family: string;
  readonly missing: ReadonlySet<string>;
  readonly unknown: ReadonlySet<string>;
}

/** Differences between an answer and the contract. They contain no values, since values can be personal. */
export interface Differences {
  readonly missing: FieldFinding[];
  readonly nulls: FieldFinding[];
  readonly otherTypes: FieldFinding[];
  readonly unknownFields: FieldFinding[];
  readonly unknownWords: WordFinding[];
  readonly unmatched: Unmatched[];
}

/** Words of sets that the contract does not list at the field. */
type KnownWords = Readonly<Partial<Record<Vocabulary, readonly string[]>>>;

/** Compares an answer with its schema and returns the differences. */
export function differencesOf(schema: z.ZodType, data: unknown, known: KnownWords): Differences {
  const found = new Findings(known);
  found.look(schema, data, '');
  return found.result();
}

type Kind = 'missing' | 'nulls' | 'otherTypes' | 'unknownFields';

/** Findings of one pass over an answer. */
class Findings {
  readonly #known: KnownWords;
  readonly #fields: Record<Kind, Map<string, number>> = {
    missing: new Map(),
    nulls: new Map(),
    otherTypes: new Map(),
    unknownFields: new Map(),
  };
  readonly #objects = new Map<string, number>();
  readonly #words = new Map<string, WordFinding>();
  readonly #families = new Map<string, { missing: Set<string>; unknown: Set<string> }>();

  constructor(known: KnownWords) {
    this.#known = known;
  }

  look(schema: z.ZodType, value: unknown, path: string): void {
    const def = partsOf(schema);
    const { vocabulary, examples, family } = schema.meta() ?? {};
    if (def.type === 'nullable' && value === null) return;
    if (def.innerType) return this.look(def.innerType, value, path);
    if (value === null) return this.#note('nulls', path);
    if (def.element) {
      if (!Array.isArray(value)) return this.#note('otherTypes', path);
      for (const one of value) this.look(def.element, one, path);
      return;
    }
    if (def.shape) return this.#lookInto(def.shape, value, { path, family });
    if (def.options) return;
    if (!schema.safeParse(value).success) this.#note('otherTypes', path);
    else if (typeof value === 'string') {
      this.#lookAtWord(value, { path, vocabulary, examples: Array.isArray(examples) ? examples : undefined });
    }
  }

  #lookInto(shape: Record<string, z.ZodType>, value: unknown, at: { path: string; family: string | undefined }): void {
    if (!isFields(value)) return this.#note('otherTypes', at.path);
    count(this.#objects, at.path);
    const under = (name: string) => (at.path === '' ? name : `${at.path}.${name}`);
    const missing: string[] = [];
    for (const [name, field] of Object.entries(shape)) {
      if (value[name] !== undefined) this.look(field, value[name], under(name));
      else if (isDue(field)) missing.push(name);
    }
    const seconds = spellings.filter((pair) => pair.family === at.family && value[pair.name] !== undefined);
    const isKnown = (name: string) => Object.hasOwn(shape, name) || seconds.some((pair) => pair.second === name);
    const unknown = Object.keys(value).filter((name) => !isKnown(name));
    for (const name of missing) this.#note('missing', under(name));
    for (const name of unknown) this.#note('unknownFields', under(name));
    if (at.family !== undefined) this.#remember(at.family, missing, unknown);
  }

  #remember(family: string, missing: readonly string[], unknown: readonly string[]): void {
    const known = this.#families.get(family) ?? { missing: new Set(), unknown: new Set() };
    for (const name of missing) known.missing.add(name);
    for (const name of unknown) known.unknown.add(name);
    this.#families.set(family, known);
  }

  #lookAtWord(word: string, { path, vocabulary, examples }: Word): void {
    const known = (vocabulary && this.#known[vocabulary]) ?? examples;
    if (!known || known.includes(word)) return;
    this.#words.set(`${path} ${word}`, { path, word, vocabulary });
  }

  #note(kind: Kind, path: string): void {
    count(this.#fields[kind], path);
  }

  result(): Differences {
    const findings = (kind: Kind) =>
      [...this.#fields[kind]].map(([path, rows]): FieldFinding => ({
        path,
        rows,
        of: Math.max(rows, this.#objects.get(path.split('.').slice(0, -1).join('.')) ?? 1),
      }));
    return {
      missing: findings('missing'),
      nulls: findings('nulls'),
      otherTypes: findings('otherTypes'),
      unknownFields: findings('unknownFields'),
      unknownWords: [...this.#words.values()],
      unmatched: [...this.#families].map(([family, fields]) => ({ family, ...fields })),
    };
  }
}

interface Word {
  path: string;
  vocabulary: Vocabulary | undefined;
  examples: readonly unknown[] | undefined;
}

/** Returns true for a field that an answer must have. Optional fields and additions of this service are not missed. */
function isDue(field: z.ZodType): boolean {
  return field.meta()?.addition !== true && !(field instanceof z.ZodOptional) && !(field instanceof z.ZodDefault);
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Returns true if an answer and the contract agree. */
export function isSame({ missing, nulls, otherTypes, unknownFields, unknownWords }: Differences): boolean {
  return [missing, nulls, otherTypes, unknownFields, unknownWords].every((list) => list.length === 0);
}
