import { z } from 'zod';
import { spellings } from '../contract/spellings.ts';

export type Json = { [key: string]: unknown };

/** Where a part stands: in a request or in an answer. */
export type Side = 'input' | 'output';

/** Makes the JSON Schema of a part. */
export type SchemaMaker = (schema: z.ZodType, io: Side) => Json;

/** Marks of the contract that are for this service alone. */
const OWN_MARKS = [
  'family',
  'wireId',
  'personal',
  'secret',
  'assumed',
  'commaList',
  'addition',
  'vocabulary',
  'keyVocabulary',
];
/** The mark that holds a part's name. */
export const NAME_MARK = 'schemaName';

/** Returns the JSON Schema of a part, with both spellings of every field that has two. */
export const jsonSchema: SchemaMaker = (schema, io) => schemaWithout([...OWN_MARKS, NAME_MARK], schema, io);

/** Returns {@link jsonSchema} with the formats that OpenAPI adds to it. */
export const openApiSchema: SchemaMaker = (schema, io) => withSizes(jsonSchema(schema, io));

/** Returns {@link openApiSchema} in which the parts that have a name carry it as {@link NAME_MARK}. */
export const markedSchema: SchemaMaker = (schema, io) => withSizes(schemaWithout(OWN_MARKS, schema, io));

const LARGEST_INT32 = 2 ** 31 - 1;

/** Marks integers that can be larger than 32 bits. Generators for typed languages take the others for smaller ones. */
function withSizes(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('type' in value) || value.type !== 'integer') return value;
    const isLarge = 'maximum' in value && Number(value.maximum) > LARGEST_INT32;
    return isLarge ? { ...value, format: 'int64' } : value;
  }) as Json;
}

function schemaWithout(marks: readonly string[], schema: z.ZodType, io: Side): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema: node }) {
      const { family, addition: isAddition } = z.globalRegistry.get(zodSchema) ?? {};
      for (const mark of marks) Reflect.deleteProperty(node, mark);
      if (isAddition) node['x-addition'] = true;
      // An answer may have fields that this version does not know; a client with a stored document must accept them.
      if (node.additionalProperties === false) delete node.additionalProperties;
      for (const { name, second, secondSchema } of spellings.filter((pair) => pair.family === family)) {
        const field = node.properties?.[name];
        if (!field || !node.properties) continue;
        const same = secondSchema?.(field as object) ?? (field as object);
        const isNeeded = io === 'input' && node.required?.includes(name);
        const description = `The same as ${name}${isNeeded ? '; one of the two is required' : ''}.`;
        node.properties[second] ??= { ...same, description };
        if (io === 'input') node.required = node.required?.filter((required) => required !== name) ?? [];
      }
    },
  }) as Json;
  return rest;
}
