/** The part of JSON Schema that the contract's schemas use. */
export interface JsonSchema {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  required?: string[];
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

/** One row of a table of fields. */
export interface FieldRow {
  /** The name with the objects and lists around it: `guests[].name`. */
  name: string;
  type: string;
  required: boolean;
  notes: string;
}

/** Returns the fields of an object and of everything in it, in the order of their declaration. */
export function fieldRows(schema: JsonSchema, around = ''): FieldRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const name = `${around}${key}`;
    const row = { name, type: typeOf(field), required: schema.required?.includes(key) ?? false, notes: notesOf(field) };
    return [row, ...innerRows(field, name)];
  });
}

function innerRows(field: JsonSchema, name: string): FieldRow[] {
  if (field.properties) return fieldRows(field, `${name}.`);
  if (field.items) return innerRows(field.items, `${name}[]`);
  return (field.anyOf ?? []).flatMap((one) => innerRows(one, name));
}

function typeOf(schema: JsonSchema): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  if (schema.enum) return schema.enum.map(String).join(', ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  if (typeof schema.additionalProperties === 'object') return `map to ${typeOf(schema.additionalProperties)}`;
  const type = [schema.type ?? 'any'].flat().join(' or ');
  if (schema.format === 'date') return 'date, YYYY-MM-DD';
  return schema.format === 'date-time' ? 'timestamp, ISO 8601' : type;
}

function notesOf(schema: JsonSchema): string {
  const bounds = [
    schema.default === undefined ? undefined : `Default ${JSON.stringify(schema.default)}.`,
    schema.minimum === undefined || schema.minimum === 0 || schema.minimum < -1e15
      ? undefined
      : `At least ${schema.minimum}.`,
    schema.maximum === undefined || schema.maximum > 1e15 ? undefined : `At most ${schema.maximum}.`,
    schema.maxLength === undefined ? undefined : `At most ${schema.maxLength} characters.`,
  ];
  return [schema.description, ...bounds].filter(Boolean).join(' ');
}
