import { z } from 'zod';
import { deliveriesByOutcome, deliveryBacklog } from '../../core/outbox/table.ts';
import { ApiError } from '../../kernel/errors.ts';
import { NO_ANSWER_FAULTS } from '../http/answerFaults.ts';
import { type PortalCall, portalRoute, type PortalServices } from './route.ts';
import { connectionOf, connectionsOf } from './who.ts';

const connection = z.string().optional();
const chosen = z.object({ connection });
const fraction = z.number().min(0).max(1);
const share = fraction.default(0);
const size = z.int().min(0).max(100_000_000);
const milliseconds = z.int().min(0).max(60_000).default(0);

export const syncRoutes = [
  portalRoute({ method: 'GET', path: '/portal/status', access: 'read', input: chosen, run: status }),
  portalRoute({
    method: 'GET',
    path: '/portal/examination',
    access: 'control',
    input: chosen,
    async run({ services, caller, input }) {
      const connections: Record<string, object> = {};
      for (const one of await connectionsOf(services, caller, input.connection)) {
        connections[one] = await services.mirror.examine(one);
      }
      return { version: services.version, settings: services.settings(), connections };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/registration',
    access: 'write',
    input: z.object({ connection, force: z.boolean().default(false) }),
    run: async ({ services, caller, input }) =>
      services.mirror.register(await connectionOf(services, caller, input.connection), input.force),
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/reconcile',
    access: 'write',
    input: z.object({ connection, resource: z.string().optional() }),
    long: true,
    run: async ({ services, caller, input, progress }) => {
      const one = await connectionOf(services, caller, input.connection);
      return services.mirror.reconcile(one, input.resource, progress);
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/reconcile/plan',
    access: 'read',
    input: z.object({ connection, listings: size.optional(), bookings: size.optional() }),
    run: async ({ services, caller, input }) => {
      const one = await connectionOf(services, caller, input.connection);
      const { listings, bookings } = input;
      if ((listings === undefined) !== (bookings === undefined)) {
        throw new ApiError(422, 'listings: goes together with bookings', { field: 'listings' });
      }
      const given = listings !== undefined && bookings !== undefined ? { listings, bookings } : undefined;
      return services.mirror.planReconcile(one, given);
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/backfill',
    access: 'write',
    input: chosen,
    long: true,
    run: async ({ services, caller, input, progress }) =>
      services.mirror.backfill(await connectionOf(services, caller, input.connection), progress),
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/backfill/plan',
    access: 'write',
    input: chosen,
    run: async ({ services, caller, input }) =>
      services.mirror.planBackfill(await connectionOf(services, caller, input.connection)),
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/rebuild_mirror',
    access: 'write',
    input: chosen,
    long: true,
    run: async ({ services, caller, input, progress }) =>
      services.mirror.rebuild(await connectionOf(services, caller, input.connection), progress),
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/verify',
    access: 'write',
    input: chosen,
    long: true,
    run: async ({ services, caller, input, progress }) =>
      services.mirror.verify(await connectionOf(services, caller, input.connection), progress),
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/connections',
    access: 'control',
    input: z.object({}),
    run: async ({ services }) => ({ connections: await services.mirror.connections() }),
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/connections/delete',
    access: 'control',
    input: z.object({ connection: z.string().min(1).describe('One that does not run.') }),
    long: true,
    run: ({ services, input, progress }) => services.mirror.deleteRows(input.connection, progress),
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/events',
    access: 'read',
    input: z.object({
      connection,
      state: z.string().optional(),
      limit: z.int().min(1).max(1_000).default(20),
    }),
    run: async ({ services, caller, input }) => {
      const one = await connectionOf(services, caller, input.connection);
      return { events: await services.mirror.events.list({ ...input, connection: one }) };
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/events/:event_id',
    access: 'read',
    input: z.object({ connection, event_id: z.string() }),
    run: async ({ services, caller, input }) => {
      const one = await connectionOf(services, caller, input.connection);
      const event = await services.mirror.events.show(one, input.event_id);
      if (!event) throw new ApiError(404, `event_id: no event ${input.event_id} was received`, { field: 'event_id' });
      return event;
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/events/replay',
    access: 'write',
    input: z.object({ connection, event_ids: z.array(z.string()).min(1).max(1_000) }),
    run: async ({ services, caller, input }) => {
      const one = await connectionOf(services, caller, input.connection);
      return { replayed: await services.mirror.events.replay(one, input.event_ids) };
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/quarantine',
    access: 'read',
    input: z.object({ connection, limit: z.int().min(1).max(1_000).default(100) }),
    run: async ({ services, caller, input }) => {
      const one = await connectionOf(services, caller, input.connection);
      return { rows: await services.mirror.quarantine.list(one, input.limit) };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/quarantine/retry',
    access: 'write',
    input: chosen,
    long: true,
    run: async ({ services, caller, input, progress }) =>
      services.mirror.quarantine.retry(await connectionOf(services, caller, input.connection), progress),
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/faults',
    access: 'control',
    input: z.object({}),
    run: async ({ services }) => ({ ...services.delivery.faults, answers: spoilerOf(services).faults }),
  }),
  portalRoute({
    method: 'PUT',
    path: '/portal/faults',
    access: 'control',
    input: z.object({
      drop: fraction.default(0),
      double: fraction.default(0),
      reorder: fraction.default(0),
      delay_ms: milliseconds,
      answers: z
        .object({ delay_ms: milliseconds, fail: share, limit: share, unknown_code: share, cut: share })
        .default(NO_ANSWER_FAULTS),
    }),
    run: async ({ services, input }) => {
      const { answers, ...deliveries } = input;
      spoilerOf(services).faults = answers;
      services.delivery.faults = deliveries;
      return input;
    },
  }),
];

/** Faults apply to the core of this process only, never to another deployment. */
function spoilerOf({ spoiler }: PortalServices) {
  if (!spoiler) throw new ApiError(404, 'No core runs here, so there is nothing to spoil.');
  return spoiler;
}

async function status({ services, caller, input }: PortalCall<z.output<typeof chosen>>): Promise<object> {
  const { db } = services.core.store;
  const connections: Record<string, object> = {};
  for (const one of await connectionsOf(services, caller, input.connection)) {
    connections[one] = await services.mirror.status(one);
  }
  // Files of this machine and facts about all accounts are for its holder.
  const isControl = caller.kind === 'control';
  const machine = isControl ? { alarms: await services.alarms() } : {};
  const core = isControl && services.servesCore ? { core: await coreStatus() } : {};
  return { version: services.version, started_at: services.startedAt, ...machine, ...core, connections };

  async function coreStatus(): Promise<object> {
    const outcomes = await deliveriesByOutcome(db);
    return {
      waiting: await deliveryBacklog(db),
      deliveries: Object.fromEntries(outcomes.map((row) => [row.outcome ?? 'waiting', row.total])),
      faults: services.delivery.faults,
    };
  }
}
