import { z } from 'zod';
import { addPageOf, listPages, revokePage } from '../../../channels/direct/bookings/pages.ts';
import { changeSettings, showSettings } from '../../../channels/direct/payments/settings.ts';
import { id as idOf } from '../../../contract/fields.ts';
import { portalRoute } from '../route.ts';
import { requireMain } from '../who.ts';
import { directKeeper } from './keeper.ts';

const account = z.string().min(1).optional();
const secret = z.string().trim().min(1).max(255).nullable().optional();

/** Pages where guests book, and how the account is paid. */
export const directSettingsRoutes = [
  portalRoute({
    method: 'GET',
    path: '/portal/booking_pages',
    access: 'read',
    input: z.object({ account }),
    run: async ({ services, caller, input }) => {
      const { core, who } = await directKeeper(services, caller, input.account);
      return { booking_pages: await listPages(core, who) };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/booking_pages',
    access: 'write',
    input: z.object({
      account,
      name: z.string().trim().min(1).max(60),
      property_ids: z.array(z.int().positive()).min(1).max(100),
      rules: z.string().trim().max(4_000).default('').describe('House rules that a guest accepts.'),
    }),
    run: async ({ services, caller, input }) => {
      const { core, who } = await directKeeper(services, caller, input.account);
      return addPageOf(core, who, input);
    },
  }),
  portalRoute({
    method: 'DELETE',
    path: '/portal/booking_pages/:id',
    access: 'write',
    input: z.object({ account, id: idOf('A booking page.') }),
    run: async ({ services, caller, input }) => {
      const { core, who } = await directKeeper(services, caller, input.account);
      return revokePage(core, who, input.id);
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/payments',
    access: 'read',
    input: z.object({ account }),
    run: async ({ services, caller, input }) => {
      requireMain(caller);
      const { core, who } = await directKeeper(services, caller, input.account);
      return showSettings(core, who.account.account_id);
    },
  }),
  portalRoute({
    method: 'PATCH',
    path: '/portal/payments',
    access: 'write',
    input: z.object({
      account,
      transfer_text: z.string().trim().min(1).max(1_000).nullable().optional(),
      transfer_hours: z.int().min(1).max(336).optional(),
      feed_minutes: z.int().min(1).max(10_080).optional(),
      guests_cancel: z.boolean().optional(),
    }),
    run: async ({ services, caller, input: { account: named, ...draft } }) => {
      requireMain(caller);
      const { core, who } = await directKeeper(services, caller, named);
      return changeSettings(core, who, draft);
    },
  }),
  portalRoute({
    method: 'PUT',
    path: '/portal/payments/stripe',
    access: 'write',
    input: z.object({ account, key: secret, webhook_secret: secret }),
    run: async ({ services, caller, input }) => {
      requireMain(caller);
      const { core, who } = await directKeeper(services, caller, input.account);
      return changeSettings(core, who, {
        stripe_key: input.key,
        stripe_webhook_secret: input.webhook_secret,
      });
    },
  }),
];
