import type { FieldFault } from './faults.ts';
import type { ResourceName, Row } from './described.ts';

let counted = 0;

/** The row as the faults have it. */
export function bend(row: Row, resource: ResourceName, faults: readonly FieldFault[]): Row {
  const own = faults.filter((fault) => fault.resource === resource && isMeant(fault, row));
  if (own.length === 0) return row;
  const bent = structuredClone(row);
  for (const fault of own) spoil(bent, fault);
  return bent;
}

/** By the row itself, so that all answers agree. */
function isMeant({ each = 1 }: FieldFault, row: Row): boolean {
  return (
    each <= 1 ||
    hashOf(JSON.stringify([row['id'], row['stay_code'], row['reservation_code'], row['date']])) % each === 0
  );
}

export function hashOf(text: string): number {
  let hash = 7;
  for (const char of text) hash = (Math.imul(hash, 31) + char.charCodeAt(0)) >>> 0;
  return hash >>> 3;
}

function spoil(row: Row, { field, as }: FieldFault): void {
  const path = field.split('.');
  const last = path.pop() ?? '';
  let at: Row = row;
  for (const name of path) {
    const next = at[name];
    if (typeof next !== 'object' || next === null) return;
    at = next as Row;
  }
  if (!(last in at)) return;
  const value = at[last];
  if (as === 'missing') delete at[last];
  else
    at[last] =
      as === 'null'
        ? null
        : as === 'text'
          ? String(value)
          : as === 'unknown word'
            ? 'never_heard_of'
            : otherType(value);
}

function otherType(value: unknown): unknown {
  if (typeof value === 'string') return (counted += 1);
  return typeof value === 'number' ? [value] : typeof value === 'boolean' ? 'perhaps' : 'something else';
}

/** Takes a path out of a row, or makes it null. */
export function hide(row: Row, field: string, as: 'missing' | 'null'): void {
  spoil(row, { resource: 'property', field, as });
}
