import { z } from 'zod';
import { spellings } from '../contract/spellings.ts';

export type Json = { [key: string]: unknown };

/** Returns the JSON Schema of a part, with both spellings of every field that has two. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema: node }) {
      const { family, addition: isAddition } = z.globalRegistry.get(zodSchema) ?? {};
      for (const mark of [
        'family',
        'wireId',
        'personal',
        'secret',
        'assumed',
        'commaList',
        'addition',
        'vocabulary',
        'keyVocabulary',
      ])
        Reflect.deleteProperty(node, mark);
      if (isAddition) node['x-addition'] = true;
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
