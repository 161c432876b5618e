import { z } from 'zod';
import { codesOf, SUCCESS } from '../../contract/errors.ts';
import { exampleRequest } from '../../contract/example.ts';
import { type OperationId, operations } from '../../contract/index.ts';
import type { Operation } from '../../contract/operation.ts';
import { type Json, openApiSchema, type SchemaMaker } from '../jsonSchema.ts';
import { answerExamples, type Examples, limitHeaders } from './answers.ts';

/** One operation in the form of OpenAPI. */
export interface Described extends Json {
  operationId: OperationId;
  tags: [string];
  parameters?: Parameter[];
  requestBody?: { required: true; content: { 'application/json': { schema: Json; example: unknown } } };
  responses: {
    200: {
      description: string;
      headers: Json;
      content: { 'application/json': { schema: { anyOf: [Envelope, Json] }; examples: Examples } };
    };
  };
}

interface Parameter extends Json {
  name: string;
  in: 'path' | 'query';
}

interface Envelope extends Json {
  properties: { [name: string]: Json; data?: Json };
}

/** Describes an operation; its fields have the names of the contract, and its schemas stand in it whole. */
export function operationObject(id: OperationId): Described {
  return describe(id, openApiSchema);
}

/** Describes an operation with the schemas that `schemaOf` makes. */
export function describe(id: OperationId, schemaOf: SchemaMaker): Described {
  const operation: Operation = operations[id];
  const parameters = [...parametersOf(operation, 'path'), ...parametersOf(operation, 'query')];
  const { body: example } = exampleRequest(operation);
  return {
    operationId: id,
    summary: operation.summary,
    ...(operation.notes && { description: operation.notes }),
    tags: [tagOf(operation)],
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(operation.body, 'input'), example } },
      },
    }),
    responses: {
      200: {
        description: 'The envelope, of a success or of a failure.',
        headers: limitHeaders(),
        content: {
          'application/json': {
            schema: { anyOf: [envelopeSchema(operation, schemaOf), { $ref: '#/components/schemas/Failure' }] },
            examples: answerExamples(operation),
          },
        },
      },
    },
    ...(operation.scope === 'open' && { security: [] }),
    'x-scope': operation.scope,
    'x-rate-class': operation.rate,
    'x-since': operation.since,
    'x-error-codes': codesOf(operation),
    'x-emits': [...operation.emits],
    ...(operation.tool && { 'x-tool': { ...operation.tool } }),
  };
}

/** Returns the group of an operation: the first part of its path. */
export function tagOf(operation: Operation): string {
  return operation.path.split('/')[1] ?? '';
}

/** The values of booleans in a query. */
const BOOLEAN_TEXT = { enum: [true, false, 1, 0] };

function parametersOf({ params, query, example = {} }: Operation, where: 'path' | 'query'): Parameter[] {
  const { properties = {}, required = [] } = openApiSchema(where === 'path' ? params : query, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, 'x-addition': isAddition, ...fieldSchema }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...(typeof description === 'string' && { description }),
    ...(isAddition === true && { 'x-addition': true }),
    schema: fieldSchema['type'] === 'boolean' ? BOOLEAN_TEXT : fieldSchema,
    ...(name in example && { example: example[name] }),
  }));
}

function envelopeSchema(operation: Operation, schemaOf: SchemaMaker): Envelope {
  const data = operation.data instanceof z.ZodUndefined ? undefined : schemaOf(operation.data, 'output');
  return {
    type: 'object',
    required: ['request_id', 'error_code', 'error_msg', ...(data && !isOptional(operation) ? ['data'] : [])],
    properties: {
      request_id: { type: 'string' },
      error_code: { type: 'integer', const: SUCCESS.code },
      error_msg: { type: 'string' },
      ...(data && { data }),
    },
  };
}

/** Returns true if `data` may be absent. */
function isOptional({ data }: Operation): boolean {
  return data.safeParse(undefined).success;
}
