import { z } from 'zod';
import type { AuditEntry } from '../../../core/audit/entry.ts';
import { routesOn } from './outgoingRoute.ts';

const onEndpoints = routesOn((services, connection) => services.mirror.endpoints(connection));
const connection = z.string().optional();
const endpoint_id = z.string().max(64);
const kinds = z.array(z.string().max(64)).max(100);
const property_ids = z.array(z.int().positive()).min(1).max(10_000).nullable();
const description = z.string().trim().max(200).nullable();
const url = z.string().max(2_048);

/** Programs that receive signed webhooks about changes. */
export const endpointRoutes = [
  onEndpoints('GET', '/portal/endpoints', 'read', z.object({ connection }), async (service) => ({
    endpoints: await service.list(),
  })),
  onEndpoints(
    'POST',
    '/portal/endpoints',
    'write',
    z.object({
      connection,
      url,
      kinds: kinds.default(['*']),
      property_ids: property_ids.optional(),
      persons: z.boolean().default(false),
      description: description.optional(),
    }),
    (service, input) => service.add(input),
    (_input, answer) => settings('add endpoint', answer),
  ),
  onEndpoints(
    'PUT',
    '/portal/endpoints/:endpoint_id',
    'write',
    z.object({
      connection,
      endpoint_id,
      url: url.optional(),
      kinds: kinds.optional(),
      property_ids: property_ids.optional(),
      persons: z.boolean().optional(),
      description: description.optional(),
      state: z.enum(['active', 'disabled']).optional(),
    }),
    (service, { endpoint_id: id, ...change }) => service.change(id, change),
    (_input, answer) => settings('change endpoint', answer),
  ),
  onEndpoints(
    'DELETE',
    '/portal/endpoints/:endpoint_id',
    'write',
    z.object({ connection, endpoint_id }),
    async (service, input) => {
      await service.remove(input.endpoint_id);
      return { removed: input.endpoint_id };
    },
    ({ endpoint_id: id }) => ({ action: 'remove endpoint', subject: `endpoint:${id}` }),
  ),
  onEndpoints(
    'POST',
    '/portal/endpoints/:endpoint_id/rotate',
    'write',
    z.object({ connection, endpoint_id }),
    (service, input) => service.rotate(input.endpoint_id),
    ({ endpoint_id: id }) => ({ action: 'rotate endpoint secret', subject: `endpoint:${id}` }),
  ),
  onEndpoints(
    'POST',
    '/portal/endpoints/:endpoint_id/ping',
    'write',
    z.object({ connection, endpoint_id }),
    (service, input) => service.ping(input.endpoint_id),
  ),
  onEndpoints(
    'GET',
    '/portal/endpoints/:endpoint_id/messages',
    'read',
    z.object({
      connection,
      endpoint_id,
      state: z.enum(['waiting', 'delivered', 'skipped', 'dead']).optional(),
      limit: z.int().min(1).max(1_000).default(20),
    }),
    async (service, input) => ({ messages: await service.log(input.endpoint_id, input) }),
  ),
  onEndpoints(
    'POST',
    '/portal/endpoints/:endpoint_id/replay',
    'write',
    z.object({
      connection,
      endpoint_id,
      message_id: z.string().max(64).optional(),
      since: z.string().max(64).optional(),
    }),
    (service, input) => service.replay(input.endpoint_id, input),
  ),
];

const shown = z.object({
  endpoint_id,
  url,
  kinds: z.array(z.string()),
  property_ids: z.array(z.int()).nullable(),
  persons: z.boolean(),
  state: z.string(),
});

/** Records the settings of an endpoint, of its address the host alone, as the rest may be a secret. */
function settings(action: string, answer: unknown): AuditEntry {
  const { endpoint_id: id, url: address, ...after } = shown.parse(answer);
  return { action, subject: `endpoint:${id}`, values: { after: { host: new URL(address).host, ...after } } };
}
