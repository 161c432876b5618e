import { z } from 'zod';
import { AVAILABILITY_PROPERTIES } from '../../../contract/availabilities.ts';
import { date, id } from '../../../contract/fields.ts';
import { queueBlocks } from '../../../core/availabilities/handlers.ts';
import { runChange } from '../../../core/change.ts';
import { moveStay } from '../../../core/reservations/place.ts';
import { ApiError } from '../../../kernel/errors.ts';
import { type PortalServices, portalRoute } from '../route.ts';
import { accountOf, operatorOf, visibleTo } from '../who.ts';

/** The connection that mirrors the core of this process; elsewhere these operations do not exist. */
const account = z.string().min(1).optional();
const connection = z.string().optional();
const inOrder = { path: ['start_date'], error: 'must not be after end_date' };

/** What the calendar of the console does in this core beyond v3: blocks with a reason, and moves in one step. */
export const calendarRoutes = [
  portalRoute({
    method: 'POST',
    path: '/portal/blocks',
    access: 'write',
    input: z
      .object({
        account,
        connection,
        property_ids: z.array(id('A property.')).min(1).max(AVAILABILITY_PROPERTIES),
        start_date: date,
        end_date: date,
        reason: z.string().trim().min(1).max(200).optional(),
      })
      .refine((fields) => fields.start_date <= fields.end_date, inOrder),
    run: async ({ services, caller, input }) => {
      requireOurs(services, input.connection);
      const { core } = services;
      const owner = await accountOf(services, caller, input.account);
      const { property_ids, start_date, end_date, reason } = input;
      await queueBlocks(
        { property_ids, start_date, end_date, reason, available: false },
        {
          db: core.store.db,
          account: owner,
          visible: visibleTo(caller),
          now: core.clock.now(),
          change: (work) => runChange(core, { account: owner, operator: operatorOf(caller) }, work),
        },
      );
      return { property_ids, start_date, end_date, reason: reason ?? null };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/stays/:stay_code/move',
    access: 'write',
    input: z.object({
      account,
      connection,
      stay_code: z.string().min(1).max(100),
      property_id: id('Where the stay is to be.'),
      check_in_date: date,
      check_out_date: date,
    }),
    run: async ({ services, caller, input }) => {
      requireOurs(services, input.connection);
      const owner = await accountOf(services, caller, input.account);
      const { stay_code, property_id, check_in_date, check_out_date } = input;
      const place = { property_id, check_in_date, check_out_date };
      await runChange(services.core, { account: owner, operator: operatorOf(caller) }, (change) =>
        moveStay(change, { visible: visibleTo(caller) }, stay_code, place),
      );
      return { stay_code, ...place };
    },
  }),
];

/** @throws ApiError 409 where another deployment has the calendar */
function requireOurs({ servesCore, mirror }: PortalServices, named: string | undefined): void {
  if (!servesCore || (named !== undefined && !mirror.isBeside(named))) {
    throw new ApiError(409, 'The calendar of this connection is kept by another deployment, which cannot do this.');
  }
}
