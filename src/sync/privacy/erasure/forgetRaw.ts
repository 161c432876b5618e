import type { Fields } from '../../../client/fields.ts';
import type { FieldChange } from '../../tables/rows/diff.ts';
import { BOOKER } from '../../tables/rows/personal.ts';

/** What of a row is to be forgotten. */
export interface Forgetting {
  /** Whose references become null. */
  owners: 'all' | ReadonlySet<string>;
  /** Whether what people wrote freely goes too. */
  text: boolean;
  /** Texts that name a person, wherever else they stand in the row. */
  strings: readonly string[];
}

/** Stands where a person was named inside another text. */
const ERASED = '[erased]';
/** Shorter texts stand in too many other words. */
const SHORTEST = 4;

/** Fields that people write freely into, with what takes their place. */
const freeText: Readonly<Record<string, Readonly<Record<string, null | ''>>>> = {
  reservation: { note: null, remarks: null, channel_remarks: null, custom_fields: null },
  transaction: { note: '' },
  task: { note: '' },
  conversation: { note: null },
};

/** Typed columns that hold the same. */
export const freeColumns: Readonly<Record<string, Readonly<Record<string, null | ''>>>> = {
  task: { note: '' },
  conversation: { note: null },
};

/** What is worth looking for inside other texts. */
export function namingStrings(values: Iterable<unknown>): string[] {
  const texts = [...values].filter((one): one is string => typeof one === 'string' && one.trim().length >= SHORTEST);
  return [...new Set(texts)].toSorted((a, b) => b.length - a.length);
}

/** A raw row without what is to be forgotten. Forgetting again changes nothing. */
export function forgetRaw(resource: string, raw: Fields, what: Forgetting): Fields {
  const row = { ...raw };
  if (what.text) {
    for (const [name, value] of Object.entries(freeText[resource] ?? {})) {
      if (row[name] !== undefined && row[name] !== null) row[name] = value;
    }
    if (resource === 'message' && Array.isArray(row['sources'])) row['sources'] = row['sources'].map(withoutDocs);
  }
  if (resource === 'reservation' && Array.isArray(row['guests'])) {
    row['guests'] = row['guests'].map((guest: unknown) => (isErasedGuest(guest, what) ? emptyGuest(guest) : guest));
  }
  // Whose paper is on them is not told apart where they are stored, so they go all together.
  if (isAnybody(what) && Array.isArray(row[GUIDE_IMAGES])) row[GUIDE_IMAGES] = [];
  return forgetValue(row, what) as Fields;
}

/** Pictures of papers from the check-in guide. */
const GUIDE_IMAGES = 'checkin_guide_images';

function isAnybody({ owners }: Forgetting): boolean {
  return owners === 'all' || owners.size > 0;
}

/** The further personal values of a row of `guests` without the pictures. */
export function withoutImages(more: string | null): string | null {
  if (more === null) return null;
  const { [GUIDE_IMAGES]: images, ...rest } = JSON.parse(more) as Fields;
  if (images === undefined) return more;
  return Object.keys(rest).length > 0 ? JSON.stringify(rest) : null;
}

/** The diff of a change without what is to be forgotten. */
export function forgetDiff(resource: string, diff: readonly FieldChange[], what: Forgetting): FieldChange[] {
  return diff.map(({ path, before, after, ...rest }) => {
    const free = what.text ? freeText[resource]?.[path.split('.')[0] ?? ''] : undefined;
    if (free !== undefined) return { path, before: null, after: null, ...rest };
    return { path, before: forgetValue(before, what), after: forgetValue(after, what), ...rest };
  });
}

/** Any JSON value without references to, and names of, who is to be forgotten. */
export function forgetValue(value: unknown, what: Forgetting): unknown {
  if (typeof value === 'string') return withoutNames(value, what.strings);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const kept = value.filter((one) => !isForgotten(one, what));
    return kept.map((one) => forgetValue(one, what));
  }
  if (isForgotten(value, what)) return null;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, forgetValue(one, what)]));
}

function isForgotten(value: unknown, what: Forgetting): boolean {
  if (typeof value !== 'object' || value === null || !('$guest' in value)) return false;
  const reference = String(value.$guest);
  return isErased(reference.slice(reference.lastIndexOf('/') + 1), what);
}

function isErased(owner: string, { owners }: Forgetting): boolean {
  return owners === 'all' || owners.has(owner);
}

function withoutNames(text: string, strings: readonly string[]): string {
  let left = text;
  for (const name of strings) if (left.includes(name)) left = left.replaceAll(name, ERASED);
  return left;
}

function isErasedGuest(guest: unknown, what: Forgetting): guest is Fields {
  if (typeof guest !== 'object' || guest === null) return false;
  const { id } = guest as Fields;
  return isErased(typeof id === 'number' || typeof id === 'string' ? String(id) : BOOKER, what);
}

/** A guest on record of whom only the place is left. */
function emptyGuest(guest: Fields): Fields {
  const kept = ['id', 'is_booker'];
  return Object.fromEntries(
    Object.entries(guest).map(([name, value]) => [
      name,
      kept.includes(name) ? value : Array.isArray(value) ? [] : null,
    ]),
  );
}

function withoutDocs(source: unknown): unknown {
  return typeof source === 'object' && source !== null && 'docs' in source ? { ...source, docs: [] } : source;
}
