import { z } from 'zod';
import { dictionaries } from '../../contract/dictionaries.ts';
import { runChange } from '../../core/change.ts';
import type { Change } from '../../core/context.ts';
import { createCustomChannel, listCustomChannels, renameCustomChannel } from '../../core/customChannels/manage.ts';
import { createEntry, listEntries, renameEntry } from '../../core/dictionaries/manage.ts';
import type { Caller } from '../access.ts';
import { type PortalServices, portalRoute } from './route.ts';
import { accountOf, operatorOf, requireMain } from './who.ts';

const account = z.string().min(1).optional();
const dictionary = z.enum(dictionaries);
const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}*$/u, { error: 'must be one line' });
const id = z.int().positive();

/** Resources that v3 only lists: items and methods of the ledger, and sources of direct reservations. */
export const dictionaryRoutes = [
  portalRoute({
    method: 'GET',
    path: '/portal/dictionaries',
    access: 'read',
    input: z.object({ account }),
    run: async ({ services, caller, input }) => {
      const { account_id } = await accountOf(services, caller, input.account);
      const { db } = services.core.store;
      const found: Record<string, object[]> = {};
      for (const one of dictionaries) found[one] = await listEntries(db, account_id, one);
      return { ...found, custom_channels: await listCustomChannels(db, account_id) };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/dictionaries/:dictionary',
    access: 'write',
    input: z.object({ account, dictionary, name, refund: z.boolean().optional() }),
    run: ({ services, caller, input }) =>
      changing(services, caller, input.account, (change) => createEntry(change, input.dictionary, input)),
  }),
  portalRoute({
    method: 'PATCH',
    path: '/portal/dictionaries/:dictionary/:id',
    access: 'write',
    input: z.object({ account, dictionary, id, name }),
    run: ({ services, caller, input }) =>
      changing(services, caller, input.account, (change) => renameEntry(change, input.dictionary, input)),
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/custom_channels',
    access: 'write',
    input: z.object({ account, name }),
    run: ({ services, caller, input }) =>
      changing(services, caller, input.account, (change) => createCustomChannel(change, input)),
  }),
  portalRoute({
    method: 'PATCH',
    path: '/portal/custom_channels/:id',
    access: 'write',
    input: z.object({ account, id, name }),
    run: ({ services, caller, input }) =>
      changing(services, caller, input.account, (change) => renameCustomChannel(change, input)),
  }),
];

async function changing<T>(
  services: PortalServices,
  caller: Caller,
  of: string | undefined,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  requireMain(caller);
  const owner = await accountOf(services, caller, of);
  return runChange(services.core, { account: owner, operator: operatorOf(caller) }, work);
}
