import type { EventKind } from '../../../contract/events.ts';
import { openApiDocument } from '../../openapi.ts';
import { type FieldRow, fieldRows } from '../resources/fields.ts';
import { type JsonSchema, namedSchemas } from '../resources/schema.ts';

interface WebhookObject {
  readonly post: {
    readonly requestBody: {
      readonly content: { readonly 'application/json': { schema: JsonSchema; example?: Record<string, unknown> } };
    };
  };
}

/** The fields of an event's body, and a whole one. */
interface DescribedEvent {
  readonly fields: readonly FieldRow[];
  /** Undefined if none is known. */
  readonly example: Record<string, unknown> | undefined;
}

/** Returns an event as the OpenAPI document describes it. */
export function describedEvent(kind: EventKind): DescribedEvent {
  const { webhooks } = openApiDocument() as unknown as { webhooks: Record<EventKind, WebhookObject> };
  const { schema, example } = webhooks[kind].post.requestBody.content['application/json'];
  return { fields: fieldRows(schema, namedSchemas()), example };
}
