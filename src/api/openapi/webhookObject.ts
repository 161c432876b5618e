import { z } from 'zod';
import { type EventKind, events } from '../../contract/events.ts';
import { exampleEvent } from '../../contract/examples/answer.ts';
import { timestamp } from '../../contract/fields.ts';
import { type Json, markedSchema } from '../jsonSchema.ts';
import { pascalCase } from './documentedOperation.ts';
import type { NamedSchemas } from './namedSchemas.ts';

const header = (name: string, description: string, type: 'string' | 'integer' = 'string') => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type },
});

/** The headers by which a receiver knows who sent an event. Some webhooks have only one of the two proofs. */
export const WEBHOOK_HEADERS = {
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

/** Describes the request that tells of an event. */
export function webhookObject(kind: EventKind, named: NamedSchemas): Json {
  const envelope = z.object({
    event: z.literal(kind),
    event_id: z.string(),
    ...events[kind].fields.shape,
    timestamp,
  });
  return {
    post: {
      operationId: `on_${kind}`,
      summary: `Sent once for each ${kind}.`,
      parameters: Object.keys(WEBHOOK_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: named.refer(markedSchema(envelope, 'output'), {
              name: `${pascalCase(kind)}Event`,
              text: `The event \`${kind}\`: a hint what to read again, never the new state.`,
            }),
            example: exampleEvent(kind),
          },
        },
      },
      responses: { 200: { description: 'Received.' } },
    },
  };
}
