import { z } from 'zod';
import { codesOf, errorCodes } from '../contract/errors.ts';
import { eventKinds, events } from '../contract/events.ts';
import { exampleRequest } from '../contract/example.ts';
import { type OperationId, operationIds, operations } from '../contract/index.ts';
import type { Operation } from '../contract/operation.ts';
import { type Json, jsonSchema } from './jsonSchema.ts';
import { TAGS } from './openapiTags.ts';

let made: Json | undefined;

/**
 * Returns the whole service as OpenAPI 3.1, built from the contract at the first request. Callers must not change it.
 */
export function openApiDocument(): Json {
  return (made ??= makeDocument());
}

let sent: string | undefined;

/** Returns {@link openApiDocument} as text. */
export function openApiText(): string {
  return (sent ??= JSON.stringify(openApiDocument()));
}

function makeDocument(): Json {
  const paths: Record<string, Json> = {};
  for (const id of operationIds) {
    const operation: Operation = operations[id];
    const path = (paths[documentedPath(operation.path)] ??= {});
    path[operation.method.toLowerCase()] = underCommonName(operation, operationObject(id));
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'stayd v3',
      version: '3.17.1',
      description:
        'Every answer has HTTP status 200 and says in `error_code` how it went: 200 is success, anything else a failure.',
    },
    servers: [{ url: '/v3' }],
    security: [{ accessToken: [] }, { bearer: [] }],
    tags: [...new Set(operationIds.map((id) => tagOf(operations[id])))].map((name) => ({
      name,
      description: TAGS[name],
    })),
    paths,
    webhooks: Object.fromEntries(eventKinds.map((kind) => [kind, webhookObject(kind)])),
    components: {
      securitySchemes: {
        accessToken: { type: 'apiKey', in: 'header', name: 'Service-Access-Token' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      headers: LIMIT_HEADERS,
      parameters: WEBHOOK_HEADERS,
      schemas: { Failure: failureSchema() },
    },
  };
}

/** The common name of a path field. OpenAPI treats paths that differ only in names of their fields as one. */
const COMMON_NAME = 'code';

function documentedPath(path: string): string {
  const form = formOf(path);
  const isShared = operationIds.some((id) => operations[id].path !== path && formOf(operations[id].path) === form);
  return isShared ? form.replaceAll('{}', `{${COMMON_NAME}}`) : path;
}

function formOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}

function underCommonName({ path }: Operation, described: Described): Json {
  if (documentedPath(path) === path) return described;
  const parameters = described.parameters?.map((one) =>
    one.in === 'path' ? { ...one, name: COMMON_NAME, description: `The ${one.name}.` } : one,
  );
  return { ...described, parameters };
}

interface Described extends Json {
  operationId: OperationId;
  tags: [string];
  parameters?: Parameter[];
}

/** Describes an operation; its fields have the names of the contract. */
export function operationObject(id: OperationId): Described {
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
        content: { 'application/json': { schema: jsonSchema(operation.body, 'input'), example } },
      },
    }),
    responses: {
      200: {
        description: 'The envelope, of a success or of a failure.',
        headers: limitHeaders(),
        content: {
          'application/json': {
            schema: { anyOf: [envelopeSchema(operation), { $ref: '#/components/schemas/Failure' }] },
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

/** The headers about a limit that stopped the request, with error_code 429. */
const LIMIT_HEADERS = {
  'Retry-After': { description: 'Seconds until a request has room again.', schema: { type: 'integer' } },
  'X-RateLimit-Scope': {
    description: 'Which limit it was; of several the one that resets last.',
    schema: { type: 'string', enum: ['user', 'endpoint', 'token', 'endpoint_error'] },
  },
  'X-RateLimit-Window': { description: 'Its window, such as 1m.', schema: { type: 'string' } },
  'X-RateLimit-Reason': { description: 'The same in words.', schema: { type: 'string' } },
};

function limitHeaders(): Json {
  return Object.fromEntries(Object.keys(LIMIT_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function tagOf(operation: Operation): string {
  return operation.path.split('/')[1] ?? '';
}

/** The values of booleans in a query. */
const BOOLEAN_TEXT = { enum: [true, false, 1, 0] };

interface Parameter extends Json {
  name: string;
  in: 'path' | 'query';
}

function parametersOf({ params, query, example = {} }: Operation, where: 'path' | 'query'): Parameter[] {
  const { properties = {}, required = [] } = jsonSchema(where === 'path' ? params : query, 'input') as {
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

function envelopeSchema(operation: Operation): Json {
  const data = operation.data instanceof z.ZodUndefined ? undefined : jsonSchema(operation.data, 'output');
  return {
    type: 'object',
    required: ['request_id', 'error_code', 'error_msg', ...(data && !isOptional(operation) ? ['data'] : [])],
    properties: {
      request_id: { type: 'string' },
      error_code: { const: 200 },
      error_msg: { type: 'string' },
      ...(data && { data }),
    },
  };
}

/** Returns true if `data` may be absent. */
function isOptional({ data }: Operation): boolean {
  return data.safeParse(undefined).success;
}

function failureSchema(): Json {
  return {
    type: 'object',
    required: ['request_id', 'error_code', 'error_msg'],
    properties: {
      request_id: { type: 'string' },
      error_code: { type: 'integer', enum: Object.keys(errorCodes).map(Number) },
      error_msg: { type: 'string', description: 'For people; never to be parsed.' },
    },
  };
}

const header = (name: string, description: string, type: 'string' | 'integer' = 'string') => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type },
});

/** The headers by which a receiver knows who sent an event. Some webhooks have only one of the two proofs. */
const WEBHOOK_HEADERS = {
  WebhookId: header('webhook-id', 'The event_id, a part of what is signed (Standard Webhooks).'),
  WebhookTimestamp: header('webhook-timestamp', 'Unix seconds of this attempt; refuse what is minutes old.', 'integer'),
  WebhookSignature: header(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA-256 over `<webhook-id>.<webhook-timestamp>.<body>`, under the secret of the registration. While a secret is rotated, one for each, separated by a space.',
  ),
  WebhookSecret: header(
    'service-webhook-secret-token',
    'The secret of the registration itself, to be compared in constant time.',
  ),
};

function webhookObject(kind: (typeof eventKinds)[number]): Json {
  const envelope = z.object({
    event: z.literal(kind),
    event_id: z.string(),
    ...events[kind].fields.shape,
    timestamp: z.string(),
  });
  return {
    post: {
      operationId: `on_${kind}`,
      summary: `Sent once for each ${kind}.`,
      parameters: Object.keys(WEBHOOK_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
      requestBody: { content: { 'application/json': { schema: jsonSchema(envelope, 'output') } } },
      responses: { 200: { description: 'Received.' } },
    },
  };
}
