import type { z } from 'zod';
import type { ObjectSchema, Operation } from '../../contract/operation.ts';
import { spellings } from '../../contract/spellings.ts';
import { ApiError } from '../../kernel/errors.ts';
import { partsOf } from '../../contract/schemaParts.ts';

/**
 * Returns true if a request demands the refusal of unknown fields, by `Prefer: handling=strict` (RFC 7240). By default
 * they are ignored, which hides a misspelt filter and a change of a read-only field.
 */
export function isStrict(prefer: string | string[] | undefined): boolean {
  const preferences = [prefer ?? []].flat().join(',').split(',');
  return preferences.some((one) => /^\s*handling\s*=\s*"?strict"?\s*(;|$)/i.test(one));
}

/**
 * Refuses fields that an operation does not read.
 * @param body undefined if the operation takes none
 * @throws ApiError 422 with each such field, and the known ones
 */
export function refuseUnknown(operation: Operation, query: object, body: object | undefined): void {
  const { method, path } = operation;
  const unknown = [
    ...unknownIn(operation.query, query),
    ...(operation.body && body ? unknownIn(operation.body, body) : []),
  ];
  const [first] = unknown;
  if (first === undefined) return;
  const known = [operation.params, operation.query, operation.body].flatMap((part) => Object.keys(part?.shape ?? {}));
  const takes = known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`;
  throw new ApiError(422, `${unknown.join(', ')}: not a field of ${method} ${path}; ${takes}`, { field: first });
}

/** Returns the paths of the fields of a value that its schema does not name. */
export function unknownIn(schema: z.ZodType | ObjectSchema, value: unknown, path = ''): string[] {
  const def = partsOf(schema);
  if (def.innerType) return unknownIn(def.innerType, value, path);
  if (def.element && Array.isArray(value)) {
    const { element } = def;
    return value.flatMap((one, index) => unknownIn(element, one, `${path}${index}.`));
  }
  if (!def.shape || def.catchall || typeof value !== 'object' || value === null) return [];
  const { shape } = def;
  const family = schema.meta()?.family;
  const nameOf = (name: string) =>
    spellings.find((pair) => pair.family === family && pair.second === name)?.name ?? name;
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : shape[nameOf(name)];
    return field ? unknownIn(field, inner, `${path}${name}.`) : [path + name];
  });
}
