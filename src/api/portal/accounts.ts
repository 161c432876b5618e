import { z } from 'zod';
import { createAccount, createToken } from '../../core/accounts/create.ts';
import { endToken } from '../../core/accounts/endToken.ts';
import { listAccounts, listTokens } from '../../core/accounts/table.ts';
import { doubtedPlans } from '../../core/automation/table.ts';
import { currency } from '../../contract/fields.ts';
import { isTimeZone, msOf } from '../../kernel/dates.ts';
import { ApiError, invalid } from '../../kernel/errors.ts';
import type { Caller } from '../access.ts';
import { beginOrEnd, mirroringOf } from './mirroring.ts';
import { moment } from './moment.ts';
import { portalRoute } from './route.ts';
import { accountOf, isMain, operatorOf, requireMain } from './who.ts';

const account = z.string().min(1).optional();
const DEFAULT_QUOTA = 1_000;
const cap = z.int().min(1).max(1_000_000).nullable().default(null);

/** Restricts a sub-account to its own tokens. */
function onlyOf(caller: Caller): number | undefined {
  return isMain(caller) ? undefined : operatorOf(caller)?.id;
}

export const accountRoutes = [
  portalRoute({
    method: 'GET',
    path: '/portal/accounts',
    access: 'read',
    input: z.object({}),
    run: async ({ services, caller }) => {
      const { db } = services.core.store;
      const inDoubt = new Map((await doubtedPlans(db)).map(({ account_id, plans }) => [account_id, Number(plans)]));
      const accounts = caller.kind === 'token' ? [caller.account] : await listAccounts(db);
      const mirroring = await mirroringOf(services);
      return {
        accounts: accounts.map((one) => ({
          ...one,
          ...mirroring(one.account_id),
          plans_in_doubt: inDoubt.get(one.account_id) ?? 0,
        })),
      };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/accounts',
    access: 'control',
    input: z.object({
      name: z.string().trim().min(1).max(100),
      time_zone: z.string().refine(isTimeZone, { error: 'must be an IANA time zone such as Europe/Berlin' }),
      currency,
      property_quota: z.int().min(1).default(DEFAULT_QUOTA),
      mirrored: z.boolean().default(true).describe('True: the daemon beside mirrors it.'),
    }),
    run: async ({ services, input: { mirrored, ...draft } }) => {
      const taken = await services.mirror.connectionsOf(null);
      const account = await createAccount(services.core, draft, { mirrored, taken });
      const how = (await mirroringOf(services))(account.account_id);
      if (mirrored) await beginOrEnd(services, how.connection ?? '');
      return { ...account, ...how };
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/tokens',
    access: 'read',
    input: z.object({ account }),
    run: async ({ services, caller, input }) => {
      const { account_id } = await accountOf(services, caller, input.account);
      const tokens = await listTokens(services.core.store.db, account_id, onlyOf(caller));
      // Tokens may not see the caps of tokens.
      if (caller.kind === 'control' || caller.token === null) return { tokens };
      return { tokens: tokens.map(({ per_minute: _minute, per_hour: _hour, ...token }) => token) };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/tokens',
    access: 'write',
    input: z.object({
      account,
      name: z.string().trim().min(1).max(100),
      scope: z.enum(['read', 'write']),
      operator_id: z.int().optional(),
      expires_at: moment.nullable().default(null),
      per_minute: cap,
      per_hour: cap,
    }),
    run: async ({ services, caller, input }) => {
      const owner = await accountOf(services, caller, input.account);
      requireMain(caller);
      if (caller.kind === 'token' && caller.token && (caller.token.per_minute ?? caller.token.per_hour) !== null) {
        throw new ApiError(401, 'A capped token makes no tokens.');
      }
      const { operator_id: operatorId, account: _, ...draft } = input;
      if (draft.expires_at !== null && msOf(draft.expires_at) <= services.core.clock.now()) {
        throw invalid('expires_at', 'is over already');
      }
      return createToken(services.core, owner, { ...draft, operatorId }, operatorOf(caller));
    },
  }),
  portalRoute({
    method: 'DELETE',
    path: '/portal/tokens/:id',
    access: 'write',
    input: z.object({ account, id: z.int() }),
    run: async ({ services, caller, input }) => {
      const owner = await accountOf(services, caller, input.account);
      const who = { account: owner, operator: operatorOf(caller) };
      const revoked = await endToken(services.core, who, { id: input.id, operatorId: onlyOf(caller) });
      if (!revoked) throw new ApiError(404, `id: there is no live token ${input.id}`, { field: 'id' });
      return { revoked: input.id };
    },
  }),
];
