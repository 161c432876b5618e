import { errorCodes } from '../../src/contract/errors.ts';
import { openApiDocument } from '../../src/api/openapi.ts';

/** A JSON Schema, as far as the document uses the language. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema;
  description?: string;
  examples?: unknown[];
  default?: unknown;
}

/** A field of the path or of the query. */
export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

/** The rows of a list that is read by cursor. */
interface Rows {
  key: string;
  item: Schema;
}

/** An operation with all that a client of it needs. */
export interface ClientOperation {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  parameters: readonly Parameter[];
  body: { schema: Schema; example: unknown } | undefined;
  /** undefined: the answer has no data. */
  data: Schema | undefined;
  /** true: a success may lack its data. */
  isDataOptional: boolean;
  rows: Rows | undefined;
  /** true: heeds Idempotency-Key, so that a repeat does no harm. */
  isKeyed: boolean;
  /** true: changes nothing, whatever its method. */
  isRead: boolean;
  isOpen: boolean;
  examples: Record<string, { summary: string; value: unknown }>;
}

/** An event with its schema. */
interface ClientEvent {
  kind: string;
  schema: Schema;
}

/** The OpenAPI document as clients see it, in the order of the document. */
export interface Model {
  schemas: ReadonlyMap<string, Schema>;
  operations: readonly ClientOperation[];
  events: readonly ClientEvent[];
  /** Classes of errors by code. */
  errors: readonly { code: number; name: string; text: string }[];
  tags: readonly { name: string; description: string }[];
  version: string;
}

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);
/** Names that languages have taken for something else. */
const OTHER_NAMES: Readonly<Record<string, string>> = { not_implemented: 'NotEnabledError' };

/**
 * Reads the document of this very checkout.
 * @param version of the packages that are made
 */
export function readModel(version: string): Model {
  const document = openApiDocument() as any;
  const schemas = new Map<string, Schema>(Object.entries(document.components.schemas));
  const operations = Object.entries<any>(document.paths).flatMap(([path, item]) =>
    Object.entries<any>(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method, described]) => operationOf(path, method, described, schemas)),
  );
  return {
    schemas,
    operations,
    events: Object.entries<any>(document.webhooks).map(([kind, { post }]) => ({
      kind,
      schema: post.requestBody.content['application/json'].schema,
    })),
    errors: Object.entries(errorCodes).map(([code, { name, text }]) => ({
      code: Number(code),
      name: OTHER_NAMES[name] ?? `${pascal(name)}Error`,
      text,
    })),
    tags: document.tags,
    version,
  };
}

function operationOf(path: string, method: string, described: any, schemas: ReadonlyMap<string, Schema>) {
  const content = described.requestBody?.content['application/json'];
  const answer = described.responses[200].content['application/json'];
  const success = at(answer.schema.anyOf[0], schemas);
  const data = success.properties?.['data'];
  const given: any[] = described.parameters ?? [];
  const operation: ClientOperation = {
    id: described.operationId,
    method: method.toUpperCase(),
    path,
    tag: described.tags[0],
    summary: described.summary,
    description: described.description ?? '',
    parameters: given.filter((one) => one.in === 'path' || one.in === 'query'),
    body: content && { schema: content.schema, example: content.example },
    data,
    isDataOptional: data !== undefined && !(success.required ?? []).includes('data'),
    rows: rowsOf(data, given, schemas),
    isKeyed: given.some((one) => one.$ref === '#/components/parameters/IdempotencyKey'),
    isRead: described['x-scope'] === 'read',
    isOpen: described['x-scope'] === 'open',
    examples: answer.examples,
  };
  requireOneName(operation, schemas);
  return operation;
}

/** A list that takes a cursor, and answers with one array beside the next cursor. */
function rowsOf(data: Schema | undefined, given: any[], schemas: ReadonlyMap<string, Schema>): Rows | undefined {
  if (data === undefined || !given.some(({ name }) => name === 'cursor')) return undefined;
  const fields = Object.entries(at(data, schemas).properties ?? {});
  const arrays = fields.filter(([, { type }]) => type === 'array');
  const [key, { items }] = arrays[0] ?? ['', {}];
  if (arrays.length !== 1 || items === undefined || !fields.some(([name]) => name === 'next_cursor')) return undefined;
  return { key, item: items };
}

/** The fields of path, query and body are one flat input; two of one name would be mixed up. */
function requireOneName({ id, parameters, body }: ClientOperation, schemas: ReadonlyMap<string, Schema>): void {
  const names = [
    ...parameters.map(({ name }) => name),
    ...Object.keys(body ? (at(body.schema, schemas).properties ?? {}) : {}),
  ];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${id}: ${twice} stands in two parts of the request`);
}

/** Returns the schema itself in place of a reference to it. */
export function at(schema: Schema, schemas: ReadonlyMap<string, Schema>): Schema {
  if (schema.$ref === undefined) return schema;
  const found = schemas.get(nameOf(schema.$ref));
  if (!found) throw new Error(`${schema.$ref} is not in the document`);
  return found;
}

/** Returns the last part of a reference. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** Returns `listTasks` and `task_created` as ListTasks and TaskCreated. */
export function pascal(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Schemas that a client names: no envelopes, which it takes off. */
export function namedSchemas({ schemas }: Model): [string, Schema][] {
  return [...schemas].filter(([name]) => name !== 'Failure' && !name.endsWith('Answer'));
}
