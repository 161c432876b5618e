import { z } from 'zod';
import type { Core } from '../../core/context.ts';
import { instantOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import { addClient, listClients, requireClient } from '../../oauth/clients.ts';
import { disconnect, removeClient } from '../../oauth/revoke.ts';
import { connectedTo } from '../../oauth/table.ts';
import type { Caller } from '../access.ts';
import { type PortalServices, portalRoute } from './route.ts';
import { accountOf, operatorOf, requireMain } from './who.ts';

const account = z.string().min(1).optional();
const clientId = z.string().min(1).max(2_048);

/** Applications that may request access, and those that have it. */
export const oauthRoutes = [
  portalRoute({
    method: 'GET',
    path: '/portal/oauth/clients',
    access: 'read',
    input: z.object({ account }),
    run: async ({ services, caller, input }) => {
      requireMain(caller);
      const owner = await ownerOf(services, caller, input.account);
      return { clients: await listClients(services.oauth, owner?.account.account_id ?? null) };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/oauth/clients',
    access: 'write',
    input: z.object({
      account,
      name: z.string().trim().min(1).max(100),
      kind: z.enum(['confidential', 'public']),
      redirect_uris: z.array(z.string().min(1)).min(1),
      scope: z.enum(['read', 'write']).default('write'),
    }),
    run: async ({ services, caller, input }) => {
      requireMain(caller);
      const { name, kind, redirect_uris: redirectUris, scope } = input;
      const owner = await ownerOf(services, caller, input.account);
      return addClient(services.oauth, owner, { name, kind, redirectUris, scope });
    },
  }),
  portalRoute({
    method: 'DELETE',
    path: '/portal/oauth/clients/:client_id',
    access: 'write',
    input: z.object({ client_id: clientId }),
    run: async ({ services, caller, input }) => {
      requireMain(caller);
      const client = await requireClient(services.oauth, input.client_id);
      // An application for all accounts belongs to the owner of the service.
      if (caller.kind === 'token' && client.account_id !== caller.account.account_id) {
        throw new ApiError(403, 'client_id: this application is not yours alone; disconnect it instead', {
          field: 'client_id',
        });
      }
      const disconnected = await removeClient(services.oauth, operatorOf(caller), input.client_id);
      return { removed: input.client_id, disconnected };
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/oauth/connected',
    access: 'read',
    input: z.object({ account }),
    run: async ({ services, caller, input }) => {
      requireMain(caller);
      const { account_id } = await accountOf(services, caller, input.account);
      return { applications: await connectedTo(services.core.store.db, account_id, nowOf(services.core)) };
    },
  }),
  portalRoute({
    method: 'DELETE',
    path: '/portal/oauth/connected/:client_id',
    access: 'write',
    input: z.object({ account, client_id: clientId }),
    run: async ({ services, caller, input }) => {
      requireMain(caller);
      const who = { account: await accountOf(services, caller, input.account), operator: operatorOf(caller) };
      if (await disconnect(services.oauth, who, input.client_id)) return { disconnected: input.client_id };
      throw new ApiError(404, `client_id: ${input.client_id} is not connected`, { field: 'client_id' });
    },
  }),
];

/**
 * Returns the account whose people may use an application. The owner of the service may allow all accounts by naming
 * none.
 */
async function ownerOf(services: PortalServices, caller: Caller, name: string | undefined) {
  if (caller.kind === 'control' && name === undefined) return null;
  return { account: await accountOf(services, caller, name), operator: operatorOf(caller) };
}

function nowOf({ clock }: Core) {
  return instantOf(clock.now());
}
