import { openApiDocument } from '../../openapi.ts';

/** The part of JSON Schema that the contract's schemas use. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  required?: string[];
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  'x-addition'?: boolean;
}

/** Schemas by their names. */
export type NamedSchemas = Readonly<Record<string, JsonSchema>>;

const REFERENCE = /^#\/components\/schemas\/(.+)$/;

/** Returns the named schemas of the OpenAPI document. */
export function namedSchemas(): NamedSchemas {
  const { components } = openApiDocument() as { components?: { schemas?: NamedSchemas } };
  return components?.schemas ?? {};
}

/** Returns the name that a schema refers to; undefined if it says itself what it is. */
export function referenceOf(schema: JsonSchema): string | undefined {
  return REFERENCE.exec(schema.$ref ?? '')?.[1];
}

/** Returns a schema with what it refers to and what it is put together from, itself last; its parts stay as they are. */
export function resolved(schema: JsonSchema, named: NamedSchemas, around: readonly string[] = []): JsonSchema {
  const name = referenceOf(schema);
  const { $ref: _ref, allOf, ...own } = schema;
  const target = name !== undefined && !around.includes(name) ? named[name] : undefined;
  const parts = [...(target ? [target] : []), ...(allOf ?? [])];
  const deeper = name === undefined ? around : [...around, name];
  return parts.map((part) => resolved(part, named, deeper)).reduceRight((sum, part) => merged(part, sum), own);
}

function merged(below: JsonSchema, above: JsonSchema): JsonSchema {
  const required = [...new Set([...(below.required ?? []), ...(above.required ?? [])])];
  const properties = { ...below.properties, ...above.properties };
  return {
    ...below,
    ...above,
    ...(required.length > 0 && { required }),
    ...((below.properties ?? above.properties) && { properties }),
  };
}

/** Returns what a schema allows: its alternatives, or itself. */
export function alternativesOf({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] {
  return anyOf ?? oneOf ?? [];
}
