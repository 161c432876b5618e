import type { z } from 'zod';
import type { ObjectSchema } from '../../contract/operation.ts';
import { partsOf } from '../../contract/schemaParts.ts';

type Fields = Record<string, unknown>;
type Convert = (value: unknown) => unknown;

/** Converts the text of path and query fields into the numbers and booleans of their schema. */
export function fromText(schema: ObjectSchema): (fields: Fields) => Fields {
  return fieldConverter(schema, textConverter);
}

/** Converts ids that a JSON body sent as numeric text into numbers; all else remains unchanged. */
export function fromBody(schema: ObjectSchema): (fields: Fields) => Fields {
  return fieldConverter(schema, idConverter);
}

function fieldConverter(
  schema: ObjectSchema,
  converterOf: (field: z.ZodType) => Convert | undefined,
): (fields: Fields) => Fields {
  const converters = Object.entries(schema.shape as Record<string, z.ZodType>)
    .map(([name, field]) => ({ name, convert: converterOf(field) }))
    .filter((field): field is { name: string; convert: Convert } => field.convert !== undefined);
  return (fields) => {
    const converted: Fields = { ...fields };
    for (const { name, convert } of converters) if (name in converted) converted[name] = convert(converted[name]);
    return converted;
  };
}

function textConverter(schema: z.ZodType): Convert | undefined {
  const def = partsOf(schema);
  if (def.innerType) return textConverter(def.innerType);
  if (def.type === 'number') return toNumber;
  return def.type === 'boolean' ? toBoolean : undefined;
}

function idConverter(schema: z.ZodType): Convert | undefined {
  if (schema.meta()?.wireId) return toNumber;
  const def = partsOf(schema);
  if (def.innerType) return idConverter(def.innerType);
  if (def.shape) {
    const convert = fieldConverter(schema as ObjectSchema, idConverter);
    return (value) => (isFields(value) ? convert(value) : value);
  }
  if (!def.element) return undefined;
  const convert = idConverter(def.element);
  return convert && ((value) => (Array.isArray(value) ? value.map(convert) : value));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const NUMBER = /^-?\d{1,16}(\.\d{1,10})?$/;

/**
 * Leaves text that is no number, or whose digits a number cannot all hold: the schema refuses it with the field's name.
 */
function toNumber(value: unknown): unknown {
  if (typeof value !== 'string' || !NUMBER.test(value)) return value;
  const number = Number(value);
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : value;
}

function toBoolean(value: unknown): unknown {
  if (value === 'true' || value === '1') return true;
  return value === 'false' || value === '0' ? false : value;
}
