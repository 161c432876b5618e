import type { MirrorDb } from '../../tables/database.ts';
import { type UnknownField, unknownFields } from '../../apply/unknownFields.ts';
import type { Trouble } from './trouble.ts';

/** The most fields that are named of each operation; beyond it only their number is. */
const MOST_NAMED = 8;

/**
 * Reports fields that upstream leaves out or that cannot be read: they are unknown in the mirror, and no sum includes
 * them.
 */
export async function unknownFieldTroubles(db: MirrorDb, connection: string): Promise<Trouble[]> {
  const byOperation = new Map<string, UnknownField[]>();
  for (const one of await unknownFields(db, connection)) {
    byOperation.set(one.operation, [...(byOperation.get(one.operation) ?? []), one]);
  }
  return [...byOperation].flatMap(([operation, fields]) => [
    ...noteOf(operation, 'does not return', 'missing', fields),
    ...noteOf(operation, 'spells so that it cannot be read', 'unreadable', fields),
  ]);
}

function noteOf(
  operation: string,
  verb: string,
  kind: 'missing' | 'unreadable',
  fields: readonly UnknownField[],
): Trouble[] {
  const own = fields.filter((one) => one[kind] > 0);
  if (own.length === 0) return [];
  const named = own.slice(0, MOST_NAMED).map((one) => `${one.field} (${one[kind]} times)`);
  const more = own.length > MOST_NAMED ? ` and ${own.length - MOST_NAMED} more` : '';
  return [
    {
      about: 'unknown fields',
      level: 'note',
      says: `${operation} ${verb} ${named.join(', ')}${more}`,
      remedy:
        'null in the mirror; if the deployment has it under another name, a profile can say so (stayd profile check)',
    },
  ];
}
