import { z } from 'zod';
import { createAccount, createToken } from '../../core/accounts/create.ts';
import { listAccounts, listTokens, revokeToken } from '../../core/accounts/table.ts';
import { currency } from '../../contract/fields.ts';
import { instantOf, isTimeZone } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import { portalRoute } from './route.ts';
import { accountOf } from './who.ts';

const account = z.string().min(1).optional();
const DEFAULT_QUOTA = 1_000;

export const accountRoutes = [
  portalRoute({
    method: 'GET',
    path: '/portal/accounts',
    access: 'read',
    input: z.object({}),
    run: async ({ services, caller }) => ({
      accounts: caller.kind === 'token' ? [caller.account] : await listAccounts(services.core.store.db),
    }),
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
    }),
    run: ({ services, input }) => createAccount(services.core, input),
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/tokens',
    access: 'read',
    input: z.object({ account }),
    run: async ({ services, caller, input }) => {
      const { account_id } = await accountOf(services, caller, input.account);
      return { tokens: await listTokens(services.core.store.db, account_id) };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/tokens',
    access: 'write',
    input: z.object({ account, name: z.string().trim().min(1).max(100), scope: z.enum(['read', 'write']) }),
    run: async ({ services, caller, input }) => {
      const owner = await accountOf(services, caller, input.account);
      if (caller.kind === 'token' && caller.operator.kind === 'sub') {
        throw new ApiError(401, 'Only the main account makes tokens.');
      }
      return createToken(services.core, owner, { name: input.name, scope: input.scope });
    },
  }),
  portalRoute({
    method: 'DELETE',
    path: '/portal/tokens/:id',
    access: 'write',
    input: z.object({ account, id: z.int() }),
    run: async ({ services, caller, input }) => {
      const owner = await accountOf(services, caller, input.account);
      const at = instantOf(services.core.clock.now());
      const revoked = await revokeToken(services.core.store.db, { accountId: owner.account_id, id: input.id, at });
      if (!revoked) throw new ApiError(404, `id: there is no live token ${input.id}`, { field: 'id' });
      return { revoked: input.id };
    },
  }),
];
