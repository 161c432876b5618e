import { z } from 'zod';
import { HEADER_VALUE } from '../kernel/signature.ts';
import { selectableEvents } from './events.ts';
import { id, none, nothing, timestamp, completeListOf } from './fields.ts';
import { operation } from './operation.ts';

const url = z.string().min(1).max(2_048);
/** The secret that each delivery carries as a header. */
const secret = z.string().min(1).regex(HEADER_VALUE, { error: 'has characters that no header can carry' });
const selection = z.array(z.enum(selectableEvents)).max(selectableEvents.length);

/** A registered address that receives thin events. */
export const webhook = z
  .object({
    id: z.int(),
    url: z.string(),
    events: z.array(z.string()),
    manageable: z
      .boolean()
      .describe('false: you cannot change it here. It was made by hand in the portal, or somebody else registered it.'),
    created_at: timestamp,
  })
  .meta({ family: 'webhook', schemaName: 'Webhook' });

/** Lists registered webhooks. */
export const listWebhooks = operation({
  method: 'GET',
  path: '/webhooks',
  params: none,
  query: none,
  body: null,
  data: completeListOf('webhooks', webhook),
  scope: 'read',
  rate: 'default',
  tool: null,
  since: '3.2.0',
  summary: 'Registered webhooks.',
  errors: [],
  emits: [],
  example: {},
});

/** Registers a URL for thin events. The secret is shown only in this answer. */
export const createWebhook = operation({
  method: 'POST',
  path: '/webhooks',
  params: none,
  query: none,
  body: z.object({ url, events: selection.optional().describe('Left out: all.') }),
  data: z.object({ id: z.int(), secret_token: secret.describe('Shown this once.') }),
  scope: 'write',
  rate: 'default',
  tool: null,
  since: '3.2.0',
  summary: 'Registers a URL for thin events.',
  errors: [],
  emits: [],
  example: { url: 'https://hooks.example.com/stayd', events: ['reservation_created', 'reservation_updated'] },
});

/** Changes the address or the events; the secret stays. Allowed to the registrant and the main account. */
export const updateWebhook = operation({
  method: 'PATCH',
  path: '/webhooks/{id}',
  params: z.object({ id: id('The webhook.') }),
  query: none,
  body: z.object({ url: url.optional(), events: selection.optional() }),
  data: webhook,
  scope: 'write',
  rate: 'default',
  tool: null,
  since: '3.2.0',
  summary: 'Changes where or which events are sent; the secret stays. For who registered it, and the main account.',
  errors: [403, 404],
  emits: [],
  example: { id: 3, events: ['message_created'] },
});

/** Ends deliveries to a URL. Allowed to the registrant and the main account. */
export const deleteWebhook = operation({
  method: 'DELETE',
  path: '/webhooks/{id}',
  params: z.object({ id: id('The webhook.') }),
  query: none,
  body: null,
  data: nothing,
  scope: 'write',
  rate: 'default',
  tool: null,
  since: '3.2.0',
  summary: 'Ends deliveries to a URL. For who registered it, and the main account.',
  errors: [403, 404],
  emits: [],
  example: { id: 3 },
});
