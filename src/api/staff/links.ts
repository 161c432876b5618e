import { z } from 'zod';
import { endStaffLink, linksOf, makeStaffLink } from '../../core/staffLinks/links.ts';
import type { Principal } from '../../core/context.ts';
import { maySee } from '../../core/ownership.ts';
import { photoOf, photosOf } from '../../core/tasks/photos.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Caller } from '../access.ts';
import { portalRoute, type PortalServices } from '../portal/route.ts';
import { accountOf, operatorOf } from '../portal/who.ts';

const account = z.string().min(1).optional();
const staff_id = z.int().positive();

/** The links by which people who do tasks see them on a phone, and the photos that they add. */
export const staffLinkRoutes = [
  portalRoute({
    method: 'GET',
    path: '/portal/staff_links',
    access: 'read',
    input: z.object({ account }),
    run: async ({ services, caller, input }) => {
      const { account_id } = await accountOf(services, caller, input.account);
      return { staff_links: await linksOf(services.core.store.db, account_id) };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/staff_links',
    access: 'write',
    input: z.object({ account, staff_id }),
    run: async ({ services, caller, input }) =>
      makeStaffLink(services.core, await whoOf(services, caller, input.account), input.staff_id),
  }),
  portalRoute({
    method: 'DELETE',
    path: '/portal/staff_links/:staff_id',
    access: 'write',
    input: z.object({ account, staff_id }),
    run: async ({ services, caller, input }) => {
      await endStaffLink(services.core, await whoOf(services, caller, input.account), input.staff_id);
      return { ended: input.staff_id };
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/tasks/:task_id/photos',
    access: 'read',
    input: z.object({ account, task_id: z.int().positive() }),
    run: async ({ services, caller, input }) => {
      const who = await whoOf(services, caller, input.account);
      const photos = await photosOf(services.core.store.db, who.account.account_id, input.task_id);
      const seen = photos.filter(({ property_id }) => isSeen(who, property_id));
      return { photos: seen.map(({ property_id: _, ...photo }) => photo) };
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/task_photos/:photo',
    access: 'read',
    input: z.object({ account, photo: z.string().max(64) }),
    run: async ({ services, caller, input }) => {
      const found = await seenPhoto(services, await whoOf(services, caller, input.account), input.photo);
      if (!found) throw new ApiError(404, 'photo not found.', { field: 'photo' });
      return { content_type: found.content_type, base64: found.base64 };
    },
  }),
];

type Who = Pick<Principal, 'account' | 'visible'> & { operator: Principal['operator'] | null };

async function whoOf(services: PortalServices, caller: Caller, name: string | undefined): Promise<Who> {
  const owner = await accountOf(services, caller, name);
  return { account: owner, operator: operatorOf(caller), visible: caller.kind === 'token' ? caller.visible : null };
}

/** Returns a photo of a property that the caller sees. */
async function seenPhoto({ core }: PortalServices, { account: owner, visible }: Who, photo: string) {
  const found = await photoOf(core.store.db, owner.account_id, photo);
  return found && isSeen({ visible }, found.property_id) ? found : undefined;
}

function isSeen({ visible }: Pick<Principal, 'visible'>, property: number | null): boolean {
  return visible === null || maySee({ visible }, property ?? 0);
}
