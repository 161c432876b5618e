import { alternativesOf, type JsonSchema, type NamedSchemas, referenceOf, resolved } from './schema.ts';

/** One row of a table of fields. */
export interface FieldRow {
  /** The name with the objects and lists around it: `guests[].name`. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  /** True for what other deployments of v3 do not know. */
  readonly isAddition: boolean;
  /** The values that are allowed, if they are listed. */
  readonly values: readonly string[];
  readonly notes: string;
}

/** A schema with what it may refer to, and the references that lead to it: one that contains itself ends there. */
interface Place {
  readonly named: NamedSchemas;
  readonly around: string;
  readonly references: readonly string[];
}

/** Returns the fields of an object and of everything in it, in the order of their declaration. */
export function fieldRows(schema: JsonSchema, named: NamedSchemas = {}): FieldRow[] {
  return rowsIn(schema, { named, around: '', references: [] });
}

function rowsIn(given: JsonSchema, place: Place): FieldRow[] {
  const schema = resolved(given, place.named);
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const name = `${place.around}${key}`;
    const whole = resolved(field, place.named);
    const row = {
      name,
      type: typeOf(field, place.named),
      required: schema.required?.includes(key) ?? false,
      isAddition: whole['x-addition'] ?? false,
      values: valuesOf(whole, place.named),
      notes: notesOf(whole),
    };
    return [row, ...innerRows(field, name, place)];
  });
}

function innerRows(given: JsonSchema, name: string, place: Place): FieldRow[] {
  const reference = referenceOf(given);
  if (reference !== undefined && place.references.includes(reference)) return [];
  const references = reference === undefined ? place.references : [...place.references, reference];
  const field = resolved(given, place.named);
  if (field.properties) return rowsIn(field, { ...place, around: `${name}.`, references });
  if (field.items) return innerRows(field.items, `${name}[]`, { ...place, references });
  if (typeof field.additionalProperties === 'object') {
    return innerRows(field.additionalProperties, `${name}.*`, { ...place, references });
  }
  return alternativesOf(field).flatMap((one) => innerRows(one, name, { ...place, references }));
}

function typeOf(given: JsonSchema, named: NamedSchemas): string {
  const schema = resolved(given, named);
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return [...new Set(alternatives.map((one) => typeOf(one, named)))].join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.items) return `list of ${typeOf(schema.items, named)}`;
  if (typeof schema.additionalProperties === 'object') return `map to ${typeOf(schema.additionalProperties, named)}`;
  if (schema.format === 'date') return 'date, YYYY-MM-DD';
  if (schema.format === 'date-time') return 'timestamp, ISO 8601';
  const type = schema.type ?? [...new Set(schema.enum?.map((value) => typeof value) ?? ['any'])];
  return [type].flat().join(' or ');
}

function valuesOf(schema: JsonSchema, named: NamedSchemas): readonly string[] {
  if (schema.enum) return schema.enum.map(String);
  const inner = [...alternativesOf(schema), ...(schema.items ? [schema.items] : [])];
  return [...new Set(inner.flatMap((one) => valuesOf(resolved(one, named), named)))];
}

/** Numbers that are bounds of the number itself, not of what it means. */
const HUGE = 1e15;

function notesOf(schema: JsonSchema): string {
  const { minimum, maximum, maxLength, minItems = 0, maxItems } = schema;
  const bounds = [
    schema.default === undefined ? undefined : `Default ${JSON.stringify(schema.default)}.`,
    minimum === undefined || minimum === 0 || minimum < -HUGE ? undefined : `At least ${minimum}.`,
    maximum === undefined || maximum > HUGE ? undefined : `At most ${maximum}.`,
    maxLength === undefined ? undefined : `At most ${maxLength} characters.`,
    minItems > 0 ? `At least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}.` : undefined,
    maxItems === undefined ? undefined : `At most ${maxItems} entries.`,
  ];
  return [schema.description, ...bounds].filter(Boolean).join(' ');
}
