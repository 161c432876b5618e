import { z } from 'zod';
import type { Vocabulary } from '../fields.ts';
import { spellings } from '../spellings.ts';
import { isFields } from './fieldRules.ts';
import { partsOf } from '../schemaParts.ts';

/** One field of the contract, or one that it does not have, as it was met in answers. */
export interface FieldFinding {
  /** `reservations.rates.tax`; lists leave no trace. */
  readonly path: string;
  /** In how many of the objects around it. */
  rows: number;
  /** How many objects there were. */
  of: number;
}

/** A word that the contract does not know where it knows some. */
export interface WordFinding {
  readonly path: string;
  readonly word: string;
  readonly vocabulary: Vocabulary | undefined;
}

/** A field that is missing where one stands that nobody knows: perhaps the same under another name. */
export interface Unmatched {
  readonly family: string;
  readonly missing: ReadonlySet<string>;
  readonly unknown: ReadonlySet<string>;
}

/** How an answer differs from what the contract says of it. Values are no part of it: they can be personal. */
export interface Differences {
  readonly missing: FieldFinding[];
  readonly nulls: FieldFinding[];
  readonly otherTypes: FieldFinding[];
  readonly unknownFields: FieldFinding[];
  readonly unknownWords: WordFinding[];
  readonly unmatched: Unmatched[];
}

/** The words of sets that the contract does not spell out where they stand. */
export type KnownWords = Readonly<Partial<Record<Vocabulary, readonly string[]>>>;

export function differencesOf(schema: z.ZodType, data: unknown, known: KnownWords): Differences {
  const found = new Findings(known);
  found.look(schema, data, '');
  return found.result();
}

type Kind = 'missing' | 'nulls' | 'otherTypes' | 'unknownFields';

/** What was found so far; one scan over an answer. */
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

/** What may be left out by the contract itself is not missing, nor is what this service has added. */
function isDue(field: z.ZodType): boolean {
  return field.meta()?.addition !== true && !(field instanceof z.ZodOptional) && !(field instanceof z.ZodDefault);
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Whether nothing differs. */
export function isSame({ missing, nulls, otherTypes, unknownFields, unknownWords }: Differences): boolean {
  return [missing, nulls, otherTypes, unknownFields, unknownWords].every((list) => list.length === 0);
}
