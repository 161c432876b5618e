import type { z } from 'zod';
import { operationIds, operations } from '../index.ts';
import type { Operation } from '../operation.ts';
import { partsOf } from '../schemaParts.ts';

/** Family of the fields of events, which belong to no operation. */
export const EVENT_FAMILY = 'event';

let known: readonly string[] | undefined;

/** Returns the family of every kind of object that the contract names. */
export function familyNames(): readonly string[] {
  if (known) return known;
  const found = new Set([EVENT_FAMILY]);
  for (const id of operationIds) {
    const { params, query, body, data }: Operation = operations[id];
    for (const schema of [params, query, body, data]) if (schema) collect(schema, found);
  }
  return (known = [...found].toSorted());
}

function collect(schema: z.ZodType, found: Set<string>): void {
  const def = partsOf(schema);
  const family = schema.meta()?.family;
  if (family !== undefined) found.add(family);
  const inside = [def.innerType, def.element, ...(def.options ?? []), ...Object.values(def.shape ?? {})];
  for (const one of inside) if (one) collect(one, found);
}
