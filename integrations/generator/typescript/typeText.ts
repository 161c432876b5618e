import { nameOf, type Schema } from '../model.ts';

const MORE_MAY_COME = /more may come/;

/** Returns a schema as a TypeScript type. */
export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return isBooleanText(schema.enum) ? 'boolean' : union(schema.enum.map(literal));
  if (schema.anyOf) return union(schema.anyOf.map(typeText));
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeText({ ...schema, type })));
  switch (schema.type) {
    case 'string':
      return stringText(schema);
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return `Array<${typeText(schema.items ?? {})}>`;
    case 'object':
      return schema.properties ? fieldsText(schema) : `Record<string, ${typeText(schema.additionalProperties ?? {})}>`;
    case undefined:
      return 'unknown';
    default:
      throw new Error(`no type for ${schema.type}`);
  }
}

/** Returns the fields of an object between braces, each with its text. */
export function fieldsText({ properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${comment(schema.description, '  ')}  ${name}${mark}: ${typeText(schema)};\n`;
  });
  return `{\n${fields.join('')}}`;
}

/** Returns a doc comment; nothing without a text. */
export function comment(text: string | undefined, indent = ''): string {
  return text ? `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n` : '';
}

/** Known values are proposed by editors, and others are allowed. */
function stringText({ description = '', examples = [] }: Schema): string {
  if (!MORE_MAY_COME.test(description) || examples.length === 0) return 'string';
  return union([...examples.map(literal), '(string & {})']);
}

function union(parts: readonly string[]): string {
  return [...new Set(parts)].join(' | ');
}

function literal(value: unknown): string {
  return typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : JSON.stringify(value);
}

/** A query writes true and false as 1 and 0, too. */
function isBooleanText(values: readonly unknown[]): boolean {
  return values.includes(true) && values.includes(false);
}
