import type { Fields } from '../../../client/fields.ts';

/** Returns the value at a path of names; null if there is none. */
export function valueAt(row: Fields, ...path: readonly string[]): unknown {
  let value: unknown = row;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = Reflect.get(value, name);
  }
  return value ?? null;
}

/** Returns true if two JSON values are equal. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Array.isArray(a) === Array.isArray(b) && [...names].every((name) => isSame(ownOf(a, name), ownOf(b, name)));
}

function ownOf(value: object, name: string): unknown {
  return Reflect.get(value, name) ?? null;
}
