import { eventKinds } from '../contract/events.ts';
import { operationIds, operations } from '../contract/index.ts';
import type { Operation } from '../contract/operation.ts';
import type { Json } from './jsonSchema.ts';
import { failureSchema, LIMIT_HEADERS, NOT_SERVED } from './openapi/answers.ts';
import { documentedOperation, documentedPath } from './openapi/documentedOperation.ts';
import { NamedSchemas } from './openapi/namedSchemas.ts';
import { tagOf } from './openapi/operationObject.ts';
import { REQUEST_HEADERS } from './openapi/requestHeaders.ts';
import { SCHEMA_TEXTS } from './openapi/schemaTexts.ts';
import { TAGS } from './openapi/tags.ts';
import { WEBHOOK_HEADERS, webhookObject } from './openapi/webhookObject.ts';

export { operationObject } from './openapi/operationObject.ts';

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
  const named = new NamedSchemas(SCHEMA_TEXTS);
  const paths: Record<string, Json> = {};
  for (const id of operationIds) {
    const operation: Operation = operations[id];
    const path = (paths[documentedPath(operation.path)] ??= {});
    path[operation.method.toLowerCase()] = documentedOperation(id, named);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'stayd v3',
      version: '3.17.1',
      description:
        'Every answer of an operation has HTTP status 200 and says in `error_code` how it went: 200 is success, ' +
        'anything else a failure. Answers and events may have further fields; ignore those that you do not know.',
      contact: { name: 'Whoever runs this service' },
      license: { name: 'UNLICENSED', identifier: 'LicenseRef-UNLICENSED' },
    },
    servers: [{ url: '/v3' }],
    security: [{ accessToken: [] }, { bearer: [] }],
    tags: [...new Set(operationIds.map((id) => tagOf(operations[id])))].map((name) => ({
      name,
      description: TAGS[name],
    })),
    paths,
    webhooks: Object.fromEntries(eventKinds.map((kind) => [kind, webhookObject(kind, named)])),
    components: {
      securitySchemes: {
        accessToken: {
          type: 'apiKey',
          in: 'header',
          name: 'Service-Access-Token',
          description: 'A token of the account; `./stayd token create` makes one.',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same token, or one of an application (OAuth).' },
      },
      headers: LIMIT_HEADERS,
      parameters: { ...REQUEST_HEADERS, ...WEBHOOK_HEADERS },
      responses: { NotServed: NOT_SERVED },
      schemas: { Failure: failureSchema(), ...named.all() },
    },
  };
}
