import { Ajv2020 } from 'ajv/dist/2020.js';

const COMPONENTS = /^#\/components\/(schemas|parameters)\/(\w+)$/;
/** The only schema that operations refer to when they stand alone. */
const FAILURE = '#/components/schemas/Failure';

type Json = Record<string, any>;

interface Components {
  schemas: Json;
  parameters?: Json;
}

/**
 * A document, or a part of it, with the schema or parameter itself in the place of every reference; what stands beside a
 * reference joins it. What a schema with a name says of itself is left out. The reference to the failure stays.
 */
export function resolved<Part>(document: { components: Components }, part: Part): Part {
  const inPlace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inPlace);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...beside } = value as Json;
    const [, kind, name = ''] = COMPONENTS.exec(String($ref)) ?? [];
    if (kind === undefined || $ref === FAILURE) {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inPlace(inner)]));
    }
    const component = document.components[kind as keyof Components]?.[name];
    if (component === undefined) throw new Error(`${$ref} is not in the document`);
    const { description, ...itself } = inPlace(component) as Json;
    return { ...itself, ...(kind === 'parameters' && { description }), ...beside };
  };
  return inPlace(part) as Part;
}

/** Returns what is wrong with a value; undefined: it fits. */
export type Judge = (value: unknown) => string | undefined;

/**
 * Returns a maker of judges by the schemas of a document, with an independent validator. In the document's objects no
 * field may stand that they do not name: it describes this very version.
 */
export function judges(document: { components: object }): (schema: object) => Judge {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', components: closed(document.components) });
  return (schema) => {
    const text = JSON.stringify(closed(schema)).replaceAll('"#/components/', '"document#/components/');
    const isValid = ajv.compile(JSON.parse(text) as object);
    return (value) => (isValid(value) ? undefined : ajv.errorsText(isValid.errors));
  };
}

/** The same schemas, in which an object has no field but those that it names. */
function closed<Part>(part: Part): Part {
  return JSON.parse(JSON.stringify(part), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    const isObject = 'type' in value && value.type === 'object' && 'properties' in value;
    return isObject && !('additionalProperties' in value) ? { ...value, additionalProperties: false } : value;
  }) as Part;
}
