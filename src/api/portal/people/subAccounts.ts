import { z } from 'zod';
import {
  changeSubAccount,
  createSubAccount,
  type Elsewhere,
  listSubAccounts,
} from '../../../core/accounts/subAccounts.ts';
import { changeSubscription } from '../../../core/accounts/subscription.ts';
import { invite, takeAccess } from '../../../core/people/signIn.ts';
import { ApiError } from '../../../kernel/errors.ts';
import { ROLES } from '../../../kernel/roles.ts';
import type { Caller } from '../../access.ts';
import { changeMirroring } from '../mirroring.ts';
import { moment } from '../moment.ts';
import { type PortalServices, portalRoute } from '../route.ts';
import { accountOf, connectionOf, operatorOf, requireMain } from '../who.ts';

const SUB_ROLES = ROLES.filter((one) => one !== 'owner');
const account = z.string().min(1).optional();
/** The deployment that has the properties, where no core runs; needed if several are mirrored. */
const connection = z.string().optional();
const name = z.string().trim().min(1).max(100);
const propertyIds = z.array(z.int().positive()).max(10_000);
const role = z.enum(SUB_ROLES);

/** Sub-accounts, the rights of an account, and logins. */
export const peopleRoutes = [
  portalRoute({
    method: 'PUT',
    path: '/portal/accounts/:account',
    access: 'control',
    input: z.object({
      account: z.string().min(1),
      edition: z.enum(['pro', 'basic']).optional(),
      suspended: z.boolean().optional(),
      expires_at: moment.nullable().optional(),
      property_quota: z.int().min(1).optional(),
      automations: z.enum(['armed', 'held']).optional(),
      mirrored: z.boolean().optional().describe('True: the daemon beside mirrors it.'),
    }),
    run: async ({ services, caller, input }) => {
      const owner = await accountOf(services, caller, input.account);
      const { mirrored, account: _, ...terms } = input;
      const isTerm = Object.values(terms).some((value) => value !== undefined);
      const changed = isTerm ? await changeSubscription(services.core, owner, terms) : owner;
      if (mirrored === undefined) return changed;
      return { ...changed, ...(await changeMirroring(services, changed, mirrored)) };
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/sub_accounts',
    access: 'read',
    input: z.object({ account, connection }),
    run: async ({ services, caller, input }) => {
      requireMain(caller);
      const owner = await accountOf(services, caller, input.account);
      const elsewhere = await elsewhereOf(services, caller, input.connection);
      return { sub_accounts: await listSubAccounts(services.core.store.db, owner, elsewhere) };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/sub_accounts',
    access: 'write',
    input: z.object({
      account,
      connection,
      name,
      role: role.optional(),
      all_properties: z.boolean().optional(),
      property_ids: propertyIds.default([]),
    }),
    run: async ({ services, caller, input }) => {
      requireMain(caller);
      const { account: _, connection: __, ...draft } = input;
      return createSubAccount(services.core, await ownerOf(services, caller, input), draft);
    },
  }),
  portalRoute({
    method: 'PUT',
    path: '/portal/sub_accounts/:id',
    access: 'write',
    input: z.object({
      account,
      connection,
      id: z.int(),
      name: name.optional(),
      role: role.optional(),
      all_properties: z.boolean().optional(),
      property_ids: propertyIds.optional(),
    }),
    run: async ({ services, caller, input }) => {
      requireMain(caller);
      const { account: _, connection: __, id, ...draft } = input;
      await changeSubAccount(services.core, await ownerOf(services, caller, input), id, draft);
      return { changed: input.id };
    },
  }),
  portalRoute({
    method: 'DELETE',
    path: '/portal/sub_accounts/:id/access',
    access: 'write',
    input: z.object({ account, id: z.int() }),
    run: async ({ services, caller, input }) => {
      requireMain(caller);
      const who = { account: await accountOf(services, caller, input.account), operator: operatorOf(caller) };
      await takeAccess(services.core, who, input.id);
      return { taken: input.id };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/invites',
    access: 'write',
    input: z.object({ account, operator_id: z.int().optional() }),
    run: async ({ services, caller, input }) => {
      requireMain(caller);
      // Otherwise a stolen token could become a password that outlives it.
      if (caller.kind === 'token' && caller.token !== null) {
        throw new ApiError(401, 'Only the control secret, or who is signed in, invites.');
      }
      const made = await invite(services.core, await accountOf(services, caller, input.account), input.operator_id);
      // Sign-in by key refuses bare addresses.
      const page = services.core.publicUrl().replace('://127.0.0.1:', '://localhost:');
      return { ...made, link: `${page}/console/welcome#${made.secret}` };
    },
  }),
];

interface Named {
  account?: string | undefined;
  connection?: string | undefined;
}

/** Returns the account whose people these are, who acts for it, and the deployment that has the properties. */
async function ownerOf(services: PortalServices, caller: Caller, given: Named) {
  return {
    account: await accountOf(services, caller, given.account),
    operator: operatorOf(caller),
    elsewhere: await elsewhereOf(services, caller, given.connection),
  };
}

/** Returns the deployment elsewhere that has the properties; undefined if the core of this process has them. */
async function elsewhereOf(
  services: PortalServices,
  caller: Caller,
  named: string | undefined,
): Promise<Elsewhere | undefined> {
  if (services.servesCore && named === undefined) return undefined;
  const found = await connectionOf(services, caller, named);
  if (services.mirror.isBeside(found)) return undefined;
  return { connection: found, properties: await services.mirror.properties(found) };
}
