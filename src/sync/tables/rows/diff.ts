import { isReference } from './personal.ts';

/** One field that changed. It never contains personal values, only references to them. */
export interface FieldChange {
  path: string;
  before: unknown;
  after: unknown;
  personal?: true;
}

/**
 * Returns the differences of two JSON values, field by field. Lists of equal length are compared element by element,
 * others as a whole. A field that one side lacks counts as null.
 */
export function diffOf(before: unknown, after: unknown): FieldChange[] {
  const changes: FieldChange[] = [];
  compare(before ?? null, after ?? null, '', changes);
  return changes;
}

function compare(before: unknown, after: unknown, path: string, changes: FieldChange[]): void {
  if (before === after) return;
  if (isTree(before) && isTree(after) && sameForm(before, after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const name of names) {
      compare(before[name] ?? null, after[name] ?? null, path === '' ? name : `${path}.${name}`, changes);
    }
    return;
  }
  if (isReference(before) && isReference(after) && before.$guest === after.$guest) return;
  const personal = holdsReference(before) || holdsReference(after);
  changes.push({ path, before, after, ...(personal && { personal }) });
}

type Tree = Record<string, unknown>;

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null;
}

function sameForm(before: Tree, after: Tree): boolean {
  if (Array.isArray(before) !== Array.isArray(after)) return false;
  if (Array.isArray(before) && Array.isArray(after)) return before.length === after.length;
  return !isReference(before) && !isReference(after);
}

function holdsReference(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isReference) : isReference(value);
}
