import { nameOf, type Schema } from '../model.ts';

/**
 * Returns a schema as a Python type.
 * @param module stands before the names of schemas: `t.`
 */
export function typeText(schema: Schema, module = ''): string {
  if (schema.$ref !== undefined) return `${module}${nameOf(schema.$ref)}`;
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
  if (schema.enum) {
    const isBooleanText = schema.enum.includes(true) && schema.enum.includes(false);
    return isBooleanText ? 'bool' : `Literal[${schema.enum.map(literal).join(', ')}]`;
  }
  if (schema.anyOf) return union(schema.anyOf.map((one) => typeText(one, module)));
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeText({ ...schema, type }, module)));
  switch (schema.type) {
    case 'string':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'array':
      return `list[${typeText(schema.items ?? {}, module)}]`;
    case 'object':
      return `dict[str, ${typeText(schema.additionalProperties ?? {}, module)}]`;
    case undefined:
      return 'Any';
    default:
      throw new Error(`no type for ${schema.type}`);
  }
}

/** Returns a text between three quotes. */
export function docstring(text: string, indent: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', "'");
  const [first = '', ...rest] = escaped.split('\n').map((line) => line.trimEnd());
  const lines = rest.map((line) => (line === '' ? '' : `${indent}${line}`));
  return rest.length === 0
    ? `${indent}"""${first}"""\n`
    : `${[`${indent}"""${first}`, ...lines].join('\n')}\n${indent}"""\n`;
}

/** Returns `listRoomTypes` as list_room_types. */
export function snake(name: string): string {
  return name.replaceAll(/[A-Z]+(?![a-z])|[A-Z]/g, (letters) => `_${letters.toLowerCase()}`);
}

function union(parts: readonly string[]): string {
  return [...new Set(parts)].join(' | ');
}

function literal(value: unknown): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  return JSON.stringify(value);
}
