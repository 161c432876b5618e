import type { Fields } from '../../../client/fields.ts';
import type { FieldChange } from '../../tables/rows/diff.ts';
import { BOOKER } from '../../tables/rows/personal.ts';

/** The parts of a row to erase. */
export interface Forgetting {
  /** The persons whose references become null. */
  owners: 'all' | ReadonlySet<string>;
  /** Set if free text is erased, too. */
  text: boolean;
  /** Texts that name a person, wherever else they occur in the row. */
  strings: readonly string[];
}

/** Replaces the name of a person inside another text. */
const ERASED = '[erased]';
/** The length below which texts occur in too many other words. */
const SHORTEST = 4;

/** Fields with free text, and their replacements. */
const freeText: Readonly<Record<string, Readonly<Record<string, null | ''>>>> = {
  reservation: { note: null, remarks: null, channel_remarks: null, custom_fields: null },
  transaction: { note: '' },
  task: { note: '' },
  conversation: { note: null },
};

/** Typed columns with the same content. */
export const freeColumns: Readonly<Record<string, Readonly<Record<string, null | ''>>>> = {
  task: { note: '' },
  conversation: { note: null },
};

/** Returns the values that are long enough to search for inside other texts. */
export function namingStrings(values: Iterable<unknown>): string[] {
  const texts = [...values].filter((one): one is string => typeof one === 'string' && one.trim().length >= SHORTEST);
  return [...new Set(texts)].toSorted((a, b) => b.length - a.length);
}

/** Returns a raw row without the erased values. Repetition changes nothing. */
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
  // The pictures do not show whose documents they are, so all of them go.
  if (isAnybody(what) && Array.isArray(row[GUIDE_IMAGES])) row[GUIDE_IMAGES] = [];
  return forgetValue(row, what) as Fields;
}

/** Pictures of documents from the check-in guide. */
const GUIDE_IMAGES = 'checkin_guide_images';

function isAnybody({ owners }: Forgetting): boolean {
  return owners === 'all' || owners.size > 0;
}

/** Returns the further personal values of a row of `guests` without the pictures. */
export function withoutImages(more: string | null): string | null {
  if (more === null) return null;
  const { [GUIDE_IMAGES]: images, ...rest } = JSON.parse(more) as Fields;
  if (images === undefined) return more;
  return Object.keys(rest).length > 0 ? JSON.stringify(rest) : null;
}

/** Returns the diff of a change without the erased values. */
export function forgetDiff(resource: string, diff: readonly FieldChange[], what: Forgetting): FieldChange[] {
  return diff.map(({ path, before, after, ...rest }) => {
    const free = what.text ? freeText[resource]?.[path.split('.')[0] ?? ''] : undefined;
    if (free !== undefined) return { path, before: null, after: null, ...rest };
    return { path, before: forgetValue(before, what), after: forgetValue(after, what), ...rest };
  });
}

/** Returns any JSON value without references to the erased persons, and without their names. */
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

/** Returns a guest on record as an empty place. */
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
