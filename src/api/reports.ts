import { z } from 'zod';
import { ApiError } from '../kernel/errors.ts';
import { portalRoute } from './portal/route.ts';
import { connectionOf, requireMain } from './portal/who.ts';

const ROWS = 1_000;
const MOST_ROWS = 10_000;

const properties = z
  .string()
  .regex(/^(all|\d{1,15}(,\d{1,15})*)$/, { error: 'must be all, or numbers and commas such as 1,2,5' })
  .transform((text) => (text === 'all' ? text : text.split(',').map(Number)));

/** `/mirror/reports`: the output of `./stayd report` as JSON. Sub-accounts see some properties only, and no reports. */
export const reportRoutes = [
  portalRoute({
    method: 'GET',
    path: '/mirror/reports',
    access: 'read',
    input: z.object({}),
    run: async ({ services, caller }) => {
      requireMain(caller);
      return { reports: services.mirror.reports.list() };
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/mirror/reports/:name',
    access: 'read',
    input: z.object({
      connection: z.string().optional(),
      name: z.string(),
      from: z.string().optional(),
      to: z.string().optional(),
      as_of: z.string().optional(),
      by: z.string().optional(),
      property: properties.optional(),
      owner: z.string().max(40).optional(),
      nights: z.int().min(1).max(100_000).optional(),
      persons: z.boolean().optional(),
      limit: z.int().min(1).max(MOST_ROWS).default(ROWS),
    }),
    run: async ({ services, caller, input }) => {
      requireMain(caller);
      const { list, read } = services.mirror.reports;
      if (!list().some(({ name }) => name === input.name)) {
        throw new ApiError(404, `name: there is no report "${input.name}"; /mirror/reports lists them`, {
          field: 'name',
        });
      }
      const connection = await connectionOf(services, caller, input.connection);
      const { rows, ...answer } = await read({ ...input, connection, limit: input.limit + 1 });
      const more = rows.length > input.limit;
      return { ...answer, limit: input.limit, more, rows: more ? rows.slice(0, -1) : rows };
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/mirror/statements/:owner/:month',
    access: 'read',
    input: z.object({
      connection: z.string().optional(),
      owner: z.string().max(40),
      month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: 'must be a month such as 2027-03' }),
    }),
    page: true,
    run: async ({ services, caller, input: { owner, month, ...input } }) => {
      requireMain(caller);
      const connection = await connectionOf(services, caller, input.connection);
      return services.mirror.reports.statement({ connection, owner, month });
    },
  }),
];
