import fc from 'fast-check';
import type { z } from 'zod';

interface SchemaNode {
  def: {
    type: string;
    shape?: Record<string, z.ZodType>;
    element?: z.ZodType;
    innerType?: z.ZodType;
    options?: readonly z.ZodType[];
    entries?: Record<string, string | number>;
    values?: readonly unknown[];
    valueType?: z.ZodType;
  };
}

/** Channels of ours, and one that no dialect knows. */
const CHANNELS = ['marketplace_a', 'marketplace_b', 'marketplace_c', 'regional_marketplace', 'direct', 'ical', 'agoda'];

const moment = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => `${date.toISOString().slice(0, 19)}+00:00`);
const word = fc.stringMatching(/^[a-z0-9 ]{0,8}$/);

/** Any value that fits a schema of the contract, as far as translating looks at it. */
export function valueOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  const { def } = schema as unknown as SchemaNode;
  const { vocabulary, commaList, format, examples } = (schema.meta() ?? {}) as Record<string, unknown>;
  if (vocabulary === 'channel') {
    const channel = fc.constantFrom(...CHANNELS);
    return commaList ? fc.array(channel, { minLength: 1, maxLength: 3 }).map((all) => all.join(',')) : channel;
  }
  switch (def.type) {
    case 'string':
      if (Array.isArray(examples)) return fc.constantFrom(...(examples as unknown[]));
      return format === 'date-time' ? moment : word;
    case 'number':
      return fc.integer({ min: 0, max: 99_999 });
    case 'boolean':
      return fc.boolean();
    case 'undefined':
      return fc.constant(undefined);
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries ?? {}));
    case 'literal':
      return fc.constantFrom(...(def.values ?? []));
    case 'record':
      return fc.dictionary(word, fc.constant('x'), { maxKeys: 2 });
    case 'unknown':
      return fc.constant(1);
    case 'array':
      return fc.array(valueOf(def.element as z.ZodType), { maxLength: 1 });
    case 'union':
      return fc.oneof(...(def.options ?? []).map(valueOf));
    case 'object':
      return objectOf(def.shape ?? {});
    case 'nullable':
      return fc.option(valueOf(def.innerType as z.ZodType), { nil: null });
    case 'optional':
    case 'default':
      return fc.option(valueOf(def.innerType as z.ZodType), { nil: undefined });
    default:
      throw new Error(`no values are made for ${def.type}`);
  }
}

function objectOf(shape: Record<string, z.ZodType>): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, valueOf(field)]));
  return fc.record(fields).map((object) => {
    const given = Object.entries(object).filter(([, value]) => value !== undefined);
    return inBothSpellings(Object.fromEntries(given));
  });
}

/** Where both spellings stand there, they say the same. */
function inBothSpellings(object: Record<string, unknown>): Record<string, unknown> {
  const { content, contents } = object;
  if (typeof content !== 'string' || !Array.isArray(contents)) return object;
  return { ...object, content: contents.map(({ text }: { text: string }) => text).join('\n\n') };
}
