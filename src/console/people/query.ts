import { z } from 'zod';
import { ROLES } from '../../kernel/roles.ts';
import type { Visit } from '../visit.ts';

const listed = z.object({
  sub_accounts: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      role: z.enum(ROLES),
      all_properties: z.boolean(),
      property_ids: z.array(z.int()),
      created_at: z.string(),
      login: z.string().nullable(),
      invited_until: z.string().nullable(),
    }),
  ),
});

/** Someone beside the owner who may use the account. */
export type Colleague = z.output<typeof listed>['sub_accounts'][number];

export async function readPeople(visit: Visit): Promise<Colleague[]> {
  return listed.parse(await visit.portal('GET /portal/sub_accounts')).sub_accounts;
}

const invited = z.object({ secret: z.string(), expires_at: z.string() });

/** Makes a one-time link for a person. */
export async function makeInvite(visit: Visit, operatorId: number): Promise<z.output<typeof invited>> {
  return invited.parse(await visit.portal('POST /portal/invites', { operator_id: operatorId }));
}
