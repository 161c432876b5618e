import { z } from 'zod';
import { depositKinds } from '../../kernel/books.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Caller } from '../access.ts';
import { recordedRoute } from './recorded.ts';
import { portalRoute, type PortalServices } from './route.ts';
import { connectionOf, connectionsOf } from './who.ts';

const connection = z.string().optional();
const day = z.string().min(4).max(10).optional();
const reason = z.string().min(1).max(500);
const period = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: 'must be a month such as 2027-03' });

const ranSchema = z.object({
  nothing: z.boolean(),
  run_id: z.string(),
  report: z.object({ from: z.string(), to: z.string(), entries: z.int() }),
});
const closedSchema = z.object({ closed: z.array(z.object({ period: z.string() })) });
const confirmedSchema = z.object({ connection: z.string(), count: z.int() });
const reopenedSchema = z.object({ was: z.string() });
const matchedSchema = z.object({ connection: z.string(), stored: z.boolean(), matches: z.array(z.unknown()) });
const placedSchema = z.object({ connection: z.string(), before: z.looseObject({}), after: z.looseObject({}) });

const byId = z.record(z.string().regex(/^\d{1,15}$/, { error: 'must be a number' }), z.string().min(1).max(100));
const byDirection = z.object({ income: byId.default({}), expense: byId.default({}) }).prefault({});

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
  recordedRoute(
    {
      method: 'POST',
      path: '/portal/exports/map',
      access: 'admin',
      input: z.object({
        connection,
        items: byDirection.describe('Class of each item of the ledger, by its id.'),
        methods: byDirection.describe('Account, channel or none for each method, by its id.'),
        deposits: z
          .record(z.string().min(1).max(100), z.enum(depositKinds))
          .default({})
          .describe('charge or hold, by channel.'),
      }),
      run: async ({ services, caller, input }) => {
        const one = await connectionOf(services, caller, input.connection);
        return services.mirror.exports.place({ ...input, connection: one });
      },
    },
    (_input, answer) => {
      const { connection: name, before, after } = placedSchema.parse(answer);
      return { action: 'place in the books', subject: `books:${name}`, values: { before, after } };
    },
  ),
  recordedRoute(
    {
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
    },
    ({ job }, answer) => {
      const { nothing, run_id, report } = ranSchema.parse(answer);
      if (nothing) return undefined;
      const { from, to, entries } = report;
      return { action: 'run export', subject: `export:${job}`, values: { after: { run_id, from, to, entries } } };
    },
  ),
  portalRoute({
    method: 'POST',
    path: '/portal/exports/book',
    access: 'admin',
    input: z.object({ connection }),
    long: true,
    run: async ({ services, caller, input, progress }) =>
      services.mirror.exports.book(await seen(services, caller, input.connection), progress),
  }),
  recordedRoute(
    {
      method: 'POST',
      path: '/portal/exports/ack',
      access: 'admin',
      input: z.object({ connection, run: z.string().min(1).max(60), failed: z.boolean().default(false) }),
      run: async ({ services, caller, input }) =>
        services.mirror.exports.ack({ ...input, connection: await seen(services, caller, input.connection) }),
    },
    ({ run, failed }) => ({
      action: 'acknowledge export',
      subject: `run:${run}`,
      values: { after: { arrived: !failed } },
    }),
  ),
  recordedRoute(
    {
      method: 'POST',
      path: '/portal/exports/close',
      access: 'admin',
      input: z.object({ connection, period, soft: z.boolean().default(false), reason: reason.optional() }),
      long: true,
      run: async ({ services, caller, input, progress }) => {
        const one = await seen(services, caller, input.connection);
        return services.mirror.exports.close({ ...input, connection: one }, progress);
      },
    },
    ({ period, soft, reason: why = null }, answer) => {
      const months = closedSchema.parse(answer).closed.map((one) => one.period);
      const after = { state: soft ? 'soft' : 'locked', months, reason: why };
      return { action: 'close month', subject: `month:${period}`, values: { after } };
    },
  ),
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
  recordedRoute(
    {
      method: 'POST',
      path: '/portal/exports/confirm-settings',
      access: 'admin',
      input: z.object({ connection, reason: reason.nullable().default(null) }),
      long: true,
      run: async ({ services, caller, input, progress }) => {
        const one = await seen(services, caller, input.connection);
        return services.mirror.exports.confirmSettings({ ...input, connection: one }, progress);
      },
    },
    ({ reason: why }, answer) => {
      const { connection: name, count } = confirmedSchema.parse(answer);
      if (count === 0) return undefined;
      return {
        action: 'confirm book settings',
        subject: `books:${name}`,
        values: { after: { corrected: count, reason: why } },
      };
    },
  ),
  recordedRoute(
    {
      method: 'POST',
      path: '/portal/exports/reopen',
      access: 'admin',
      input: z.object({ connection, period, reason }),
      run: async ({ services, caller, input }) =>
        services.mirror.exports.reopen({ ...input, connection: await seen(services, caller, input.connection) }),
    },
    ({ period, reason: why }, answer) => ({
      action: 'reopen month',
      subject: `month:${period}`,
      values: { before: { state: reopenedSchema.parse(answer).was }, after: { state: 'open', reason: why } },
    }),
  ),
  recordedRoute(
    {
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
    },
    (_input, answer) => {
      const { connection: name, stored, matches } = matchedSchema.parse(answer);
      if (!stored) return undefined;
      return { action: 'match payouts', subject: `books:${name}`, values: { after: { matches: matches.length } } };
    },
  ),
  recordedRoute(
    {
      method: 'POST',
      path: '/portal/exports/match/undo',
      access: 'admin',
      input: z.object({ connection, payout: z.string().min(4).max(60), reason: reason.nullable().default(null) }),
      run: async ({ services, caller, input }) =>
        services.mirror.exports.undoMatch({ ...input, connection: await seen(services, caller, input.connection) }),
    },
    ({ payout, reason: why }) => ({
      action: 'undo match',
      subject: `payout:${payout}`,
      values: { after: { reason: why } },
    }),
  ),
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
