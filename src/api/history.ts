import { z } from 'zod';
import { date } from '../contract/fields.ts';
import type { PortalCall } from './portal/route.ts';
import { portalRoute } from './portal/route.ts';
import { connectionOf } from './portal/who.ts';

const MOST_ROWS = 1_000;

const moment = z.string().optional();
const one = z.object({
  connection: z.string().optional(),
  resource: z.string(),
  '*': z.string().min(1),
  as_of: moment,
  part: z.string().optional(),
  from: date.optional(),
  to: date.optional(),
});
const many = z.object({
  connection: z.string().optional(),
  resource: z.string(),
  as_of: moment,
  after: z.string().optional(),
  limit: z.int().min(1).max(MOST_ROWS).default(100),
});

/** `GET /mirror/<resource>/<key>`: the state of a key, now or at a moment. */
const stateRoute = portalRoute({
  method: 'GET',
  path: '/mirror/:resource/*',
  access: 'read',
  input: one,
  run: async ({ services, caller, input }: PortalCall<z.output<typeof one>>) => {
    const { '*': key, connection: name, ...question } = input;
    const connection = await connectionOf(services, caller, name);
    return services.mirror.states.one({ ...question, key, connection });
  },
});

/** `GET /mirror/<resource>`: the states of all rows of a kind, page by page. */
const statesRoute = portalRoute({
  method: 'GET',
  path: '/mirror/:resource',
  access: 'read',
  input: many,
  run: async ({ services, caller, input }: PortalCall<z.output<typeof many>>) => {
    const connection = await connectionOf(services, caller, input.connection);
    return services.mirror.states.many({ ...input, connection });
  },
});

export const historyRoutes = [stateRoute, statesRoute];
