import type { OperationId } from '../../../contract/index.ts';
import { operationObject } from '../../openapi.ts';
import { type FieldRow, fieldRows } from './fields.ts';
import { alternativesOf, type JsonSchema, type NamedSchemas, namedSchemas, resolved } from './schema.ts';

/** The part of an operation in the OpenAPI document that the pages show. */
interface OperationObject {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly 'x-addition'?: boolean;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: JsonSchema } } };
  readonly responses: {
    readonly 200: { readonly content: { readonly 'application/json': { schema: JsonSchema; example?: unknown } } };
  };
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
  const described = operationObject(id) as unknown as OperationObject;
  const { schema, example } = described.responses[200].content['application/json'];
  const data = dataOf(schema, named);
  return {
    path: parameterRows(described, 'path', named),
    query: parameterRows(described, 'query', named),
    body: fieldRows(described.requestBody?.content['application/json'].schema ?? {}, named),
    answer: data ? fieldRows(data, named) : [],
    example,
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
