import { z } from 'zod';
import { ApiError } from '../../kernel/errors.ts';
import type { Caller } from '../access.ts';
import { portalRoute, type PortalServices } from './route.ts';
import { connectionOf, connectionsOf } from './who.ts';

const connection = z.string().optional();
const day = z.string().min(4).max(10).optional();
const reason = z.string().min(1).max(500);
const period = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: 'must be a month such as 2027-03' });

/** `/portal/exports`: the books of the mirror. */
export const exportRoutes = [
  portalRoute({
    method: 'GET',
    path: '/portal/exports',
    access: 'read',
    input: z.object({ connection }),
    run: async ({ services, caller, input }) =>
      services.mirror.exports.list(await seen(services, caller, input.connection)),
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/exports/map',
    access: 'read',
    input: z.object({ connection, for: z.string().min(1).max(40).optional() }),
    run: async ({ services, caller, input }) =>
      services.mirror.exports.map({ ...input, connection: await seen(services, caller, input.connection) }),
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/exports/run',
    access: 'admin',
    input: z.object({
      connection,
      job: z.string().min(1).max(40),
      from: day,
      to: day,
      out: z.string().min(1).optional(),
      override: reason.optional(),
    }),
    long: true,
    run: async ({ services, caller, input, progress }) => {
      // Only the holder of this machine may name a folder of it.
      if (input.out !== undefined && caller.kind !== 'control') {
        throw new ApiError(403, 'out: only the control secret names a folder', { field: 'out' });
      }
      const one = await seen(services, caller, input.connection);
      return services.mirror.exports.run({ ...input, connection: one }, progress);
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/exports/book',
    access: 'admin',
    input: z.object({ connection }),
    long: true,
    run: async ({ services, caller, input, progress }) =>
      services.mirror.exports.book(await seen(services, caller, input.connection), progress),
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/exports/ack',
    access: 'admin',
    input: z.object({ connection, run: z.string().min(1).max(60), failed: z.boolean().default(false) }),
    run: async ({ services, caller, input }) =>
      services.mirror.exports.ack({ ...input, connection: await seen(services, caller, input.connection) }),
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/exports/close',
    access: 'admin',
    input: z.object({ connection, period, soft: z.boolean().default(false), reason: reason.optional() }),
    long: true,
    run: async ({ services, caller, input, progress }) => {
      const one = await seen(services, caller, input.connection);
      return services.mirror.exports.close({ ...input, connection: one }, progress);
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/exports/preview',
    access: 'read',
    input: z.object({ connection, period }),
    long: true,
    run: async ({ services, caller, input, progress }) => {
      const one = await seen(services, caller, input.connection);
      return services.mirror.exports.preview({ ...input, connection: one }, progress);
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/exports/runs/:run/files',
    access: 'read',
    input: z.object({ connection, run: z.string().min(1).max(60), name: z.string().min(1).max(255).optional() }),
    run: async ({ services, caller, input }) =>
      services.mirror.exports.files({ ...input, connection: await seen(services, caller, input.connection) }),
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/exports/confirm-settings',
    access: 'admin',
    input: z.object({ connection, reason: reason.nullable().default(null) }),
    long: true,
    run: async ({ services, caller, input, progress }) => {
      const one = await seen(services, caller, input.connection);
      return services.mirror.exports.confirmSettings({ ...input, connection: one }, progress);
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/exports/reopen',
    access: 'admin',
    input: z.object({ connection, period, reason }),
    run: async ({ services, caller, input }) =>
      services.mirror.exports.reopen({ ...input, connection: await seen(services, caller, input.connection) }),
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/exports/match',
    // The route opens a file of this machine, so it needs the holder of the data directory.
    access: 'control',
    input: z.object({
      connection,
      path: z.string().min(1),
      mapping: z.object({ text: z.string(), name: z.string() }).nullable().default(null),
      bank: z.string().max(200).nullable().default(null),
      accounts: z.array(z.string().max(200)).max(100).default([]),
      days: z.int().min(1).max(400),
      dry_run: z.boolean().default(false),
      accept: z.union([z.literal('all'), z.array(z.int().min(1)).max(10_000)]).default([]),
    }),
    long: true,
    run: async ({ services, caller, input: { dry_run: dryRun, ...order }, progress }) => {
      const one = await seen(services, caller, order.connection);
      return services.mirror.exports.match({ ...order, dryRun, connection: one }, progress);
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/exports/match/undo',
    access: 'admin',
    input: z.object({ connection, payout: z.string().min(4).max(60), reason: reason.nullable().default(null) }),
    run: async ({ services, caller, input }) =>
      services.mirror.exports.undoMatch({ ...input, connection: await seen(services, caller, input.connection) }),
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/exports/verify',
    access: 'admin',
    input: z.object({ connection }),
    long: true,
    run: async ({ services, caller, input, progress }) =>
      services.mirror.exports.verify(await seen(services, caller, input.connection), progress),
  }),
];

/** Returns the connection whose books the caller may see. The holder of the machine may leave the choice to the job. */
async function seen(services: PortalServices, caller: Caller, name: string | undefined): Promise<string | undefined> {
  if (caller.kind === 'token') return connectionOf(services, caller, name);
  if (name !== undefined) await connectionsOf(services, caller, name);
  return name;
}
