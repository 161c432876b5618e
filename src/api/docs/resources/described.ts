import { type OperationId, operations } from '../../../contract/index.ts';
import { openApiDocument } from '../../openapi.ts';
import { type FieldRow, fieldRows } from './fields.ts';
import { alternativesOf, type JsonSchema, type NamedSchemas, namedSchemas, resolved } from './schema.ts';

/** An answer with an example of its own, or with several by name. */
interface DescribedAnswer {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

/** The part of an operation in the OpenAPI document that the pages show. */
interface OperationObject {
  readonly operationId: OperationId;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly 'x-addition'?: boolean;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: JsonSchema } } };
  readonly responses: { readonly 200: { readonly content: { readonly 'application/json': DescribedAnswer } } };
}

/** What goes into an operation and comes out of it, as rows of tables. */
export interface DescribedOperation {
  readonly path: readonly FieldRow[];
  readonly query: readonly FieldRow[];
  readonly body: readonly FieldRow[];
  /** The fields of `data`; none where the answer has no data. */
  readonly answer: readonly FieldRow[];
  /** A whole answer; undefined if none is known. */
  readonly example: unknown;
}

/** Returns an operation as the OpenAPI document describes it, with every reference followed. */
export function describedOperation(id: OperationId): DescribedOperation {
  const named = namedSchemas();
  const described = operationIn(id);
  const answer = described.responses[200].content['application/json'];
  const data = dataOf(answer.schema, named);
  return {
    path: parameterRows(underOwnNames(described), 'path', named),
    query: parameterRows(described, 'query', named),
    body: fieldRows(described.requestBody?.content['application/json'].schema ?? {}, named),
    answer: data ? fieldRows(data, named) : [],
    example: exampleOf(answer),
  };
}

/** Returns the example of a success: the only one, or the first of several. */
export function exampleOf({ example, examples = {} }: Omit<DescribedAnswer, 'schema'>): unknown {
  return example ?? Object.values(examples)[0]?.value;
}

let byId: ReadonlyMap<OperationId, OperationObject> | undefined;

function operationIn(id: OperationId): OperationObject {
  byId ??= new Map(everyOperation().map((one) => [one.operationId, one]));
  const found = byId.get(id);
  if (!found) throw new Error(`${id} is missing in the OpenAPI document`);
  return found;
}

function everyOperation(): readonly OperationObject[] {
  const { paths } = openApiDocument() as unknown as { paths: Record<string, Record<string, OperationObject>> };
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

/**
 * Gives the fields of a path the names of the contract. The document has one name for those of paths that would be the
 * same otherwise, and says the contract's in place of a description.
 */
function underOwnNames({ parameters = [], ...rest }: OperationObject): OperationObject {
  const names = Object.keys(operations[rest.operationId].params.shape);
  const inPath = parameters.filter((one) => one.in === 'path');
  return {
    ...rest,
    parameters: inPath.map(({ description, ...one }, index) => {
      const name = names[index] ?? one.name;
      const isOwn = one.name === name && description !== undefined;
      return { ...one, name, ...(isOwn && { description }) };
    }),
  };
}

/** Returns the schema of `data` in the envelope of a success. */
function dataOf(envelope: JsonSchema, named: NamedSchemas): JsonSchema | undefined {
  const whole = resolved(envelope, named);
  if (whole.properties?.['data']) return whole.properties['data'];
  return alternativesOf(whole)
    .map((one) => dataOf(one, named))
    .find((found) => found !== undefined);
}

function parameterRows({ parameters = [] }: OperationObject, where: string, named: NamedSchemas): FieldRow[] {
  return parameters
    .filter((one) => one.in === where)
    .flatMap(({ name, required, description, 'x-addition': isAddition = false, schema }) => {
      const field = { ...schema, 'x-addition': isAddition, ...(description !== undefined && { description }) };
      return fieldRows({ properties: { [name]: field }, required: required ? [name] : [] }, named);
    });
}
