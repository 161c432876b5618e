import type { Vocabulary } from '../../contract/fields.ts';
import { spellings } from '../../contract/spellings.ts';
import type { NamedProfile, Survey } from './survey.ts';

/** Additions to a profile, from the observed answers. */
export interface Proposal {
  /** By the family of the object, ours: theirs. */
  readonly fields: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By their set, ours: theirs. */
  readonly words: Readonly<Partial<Record<Vocabulary, Readonly<Record<string, string>>>>>;
  /** Words unknown to all profiles; they are passed on unchanged. */
  readonly unknownWords: readonly string[];
}

/** Proposes the parts that a profile lacks, from the other profiles and from the contract's double spellings. */
export function proposalOf({ findings }: Survey, profiles: readonly NamedProfile[]): Proposal {
  const fields: Record<string, Record<string, string>> = {};
  const words: Partial<Record<Vocabulary, Record<string, string>>> = {};
  const unknown = new Set<string>();
  for (const { differences } of findings) {
    for (const { family, missing, unknown: names } of differences?.unmatched ?? []) {
      for (const [ours, theirs] of namesOf(family, profiles)) {
        if (missing.has(ours) && names.has(theirs)) (fields[family] ??= {})[ours] = theirs;
      }
    }
    for (const { word, vocabulary } of differences?.unknownWords ?? []) {
      const ours = vocabulary && oursOf(word, vocabulary, profiles);
      if (ours !== undefined) (words[vocabulary as Vocabulary] ??= {})[ours] = word;
      else unknown.add(word);
    }
  }
  return { fields, words, unknownWords: [...unknown].toSorted() };
}

/** Returns every pair of names that some profile uses for one field: ours, theirs. */
function namesOf(family: string, profiles: readonly NamedProfile[]): [string, string][] {
  const pairs = spellings
    .filter((pair) => pair.family === family)
    .map(({ name, second }): [string, string] => [name, second]);
  const used = profiles.flatMap(({ profile }) =>
    Object.entries(profile.fields[family] ?? {}).map(([ours, { name = ours }]): [string, string] => [ours, name]),
  );
  return [...pairs, ...used];
}

function oursOf(word: string, vocabulary: Vocabulary, profiles: readonly NamedProfile[]): string | undefined {
  for (const { profile } of profiles) {
    const entry = Object.entries(profile.words[vocabulary] ?? {}).find(([, theirs]) => theirs.includes(word));
    if (entry) return entry[0];
  }
  return undefined;
}

/** Returns true if there is nothing to add. */
export function isEmpty({ fields, words }: Proposal): boolean {
  return Object.keys(fields).length === 0 && Object.keys(words).length === 0;
}
