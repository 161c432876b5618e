import { z } from 'zod';
import { simulate } from '../../../core/sandbox/simulation/simulate.ts';
import { portalRoute } from '../route.ts';
import { accountOf, operatorOf } from '../who.ts';
import { requireCore } from './action.ts';

const MOST_DAYS = 730;
const MOST_PROPERTIES = 1_000;

/** Many of the actions beside this, one after the other. */
export const simulationRoute = portalRoute({
  method: 'POST',
  path: '/portal/sandbox/simulations',
  access: 'admin',
  input: z.strictObject({
    account: z.string().min(1).optional(),
    days: z.int().min(1).max(MOST_DAYS),
    properties: z.int().min(1).max(MOST_PROPERTIES),
    seed: z
      .int()
      .min(0)
      .max(2 ** 31 - 1),
  }),
  long: true,
  run: async ({ services, caller, input: { account, ...order }, progress, signal }) => {
    requireCore(services);
    const owner = { account: await accountOf(services, caller, account), operator: operatorOf(caller) };
    return simulate(services.core, { owner, order, progress, signal });
  },
});
