import { z } from 'zod';
import { changeGuide, listGuides, LONGEST_GUIDE, LONGEST_PHONE, readGuide } from '../../core/guestPages/guides.ts';
import { makeGuestPage, readGuestPage, revokeGuestPage, type Who } from '../../core/guestPages/link.ts';
import { readRegistrations, registrationsCsv } from '../../core/guestPages/registration/read.ts';
import type { Caller } from '../access.ts';
import { portalRoute, type PortalServices } from '../portal/route.ts';
import { accountOf, operatorOf, visibleTo } from '../portal/who.ts';

const account = z.string().min(1).optional();
const code = z.string().min(1).max(100);
const property_id = z.int().positive();

/** The page of a reservation for its guests, what properties tell them, and what they have registered. */
export const guestPageRoutes = [
  portalRoute({
    method: 'GET',
    path: '/portal/reservations/:code/guest_page',
    access: 'read',
    input: z.object({ account, code }),
    run: async ({ services, caller, input }) =>
      readGuestPage(services.core, await whoOf(services, caller, input.account), input.code),
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/reservations/:code/guest_page',
    access: 'write',
    input: z.object({ account, code, renew: z.boolean().default(false) }),
    run: async ({ services, caller, input }) =>
      makeGuestPage(services.core, await whoOf(services, caller, input.account), input.code, input.renew),
  }),
  portalRoute({
    method: 'DELETE',
    path: '/portal/reservations/:code/guest_page',
    access: 'write',
    input: z.object({ account, code }),
    run: async ({ services, caller, input }) => {
      await revokeGuestPage(services.core, await whoOf(services, caller, input.account), input.code);
      return { revoked: input.code };
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/reservations/:code/guest_registrations',
    // Papers of people: a token that only reads the business does not read them.
    access: 'write',
    input: z.object({ account, code }),
    run: async ({ services, caller, input }) =>
      readRegistrations(services.core, await whoOf(services, caller, input.account), input.code),
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/reservations/:code/guest_registrations/csv',
    access: 'write',
    input: z.object({ account, code }),
    run: async ({ services, caller, input }) =>
      registrationsCsv(services.core, await whoOf(services, caller, input.account), input.code),
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/guest_guides',
    access: 'read',
    input: z.object({ account }),
    run: async ({ services, caller, input }) => ({
      guest_guides: await listGuides(services.core, await whoOf(services, caller, input.account)),
    }),
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/guest_guides/:property_id',
    access: 'read',
    input: z.object({ account, property_id }),
    run: async ({ services, caller, input }) =>
      readGuide(services.core, await whoOf(services, caller, input.account), input.property_id),
  }),
  portalRoute({
    method: 'PATCH',
    path: '/portal/guest_guides/:property_id',
    access: 'write',
    input: z.object({
      account,
      property_id,
      guide: z.string().max(LONGEST_GUIDE).nullable().optional(),
      country: z.string().max(10).nullable().optional(),
      phone: z.string().max(LONGEST_PHONE).nullable().optional(),
    }),
    run: async ({ services, caller, input: { account: named, property_id: id, ...draft } }) =>
      changeGuide(services.core, await whoOf(services, caller, named), id, draft),
  }),
];

async function whoOf(services: PortalServices, caller: Caller, name: string | undefined): Promise<Who> {
  const owner = await accountOf(services, caller, name);
  return { account: owner, operator: operatorOf(caller), visible: visibleTo(caller) };
}
