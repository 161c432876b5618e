import { z } from 'zod';
import { masterOperator } from '../../../core/accounts/table.ts';
import { countReservations } from '../../../core/reservations/lookup.ts';
import { simulate } from '../../../sandbox/simulation/simulate.ts';
import { portalRoute } from '../route.ts';
import { accountOf, operatorOf } from '../who.ts';
import { requireCore } from './action.ts';

const MOST_DAYS = 730;
const MOST_PROPERTIES = 1_000;
const MOST_PER_MINUTE = 60_000;

/** Returns the existing data that a simulation would mix with, because a simulation cannot be removed. */
export const simulatedAccountRoute = portalRoute({
  method: 'GET',
  path: '/portal/sandbox/simulations',
  access: 'admin',
  input: z.strictObject({ account: z.string().min(1).optional() }),
  run: async ({ services, caller, input }) => {
    requireCore(services);
    const { account_id, name } = await accountOf(services, caller, input.account);
    return { account: name, reservations: await countReservations(services.core.store.db, account_id) };
  },
});

/** Runs many of the sandbox actions, one after the other. */
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
    per_minute: z.int().min(1).max(MOST_PER_MINUTE).optional(),
  }),
  long: true,
  run: async ({ services, caller, input: { account: named, per_minute = null, ...order }, progress, signal }) => {
    requireCore(services);
    const { core } = services;
    const account = await accountOf(services, caller, named);
    const operator = operatorOf(caller) ?? (await masterOperator(core.store.db, account.account_id));
    return simulate(core, { owner: { account, operator }, order, perMinute: per_minute, progress, signal });
  },
});
