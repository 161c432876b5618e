import { z } from 'zod';
import { runChange } from '../../../core/change.ts';
import type { Change } from '../../../core/context.ts';
import { date } from '../../../contract/fields.ts';
import { ApiError } from '../../../kernel/errors.ts';
import { marketplaces } from '../../../sandbox/channel/adapters.ts';
import { toInstant } from '../moment.ts';
import { type PortalRoute, portalRoute, type PortalServices } from '../route.ts';
import { accountOf, operatorOf } from '../who.ts';

/** Marketplaces that exist only as simulations. */
export const channelType = z.enum(marketplaces);

const account = z.string().min(1).optional();

/** A short name. */
export const name = z.string().trim().min(1).max(200);
export const moment = z.iso
  .datetime({ offset: true, error: 'must be a moment, ISO 8601 with its offset' })
  .transform(toInstant);
/** Money in major units. */
export const price = z.number().positive().max(9_999_999);
export const days = { start_date: date, end_date: date };
export const listing = { channel_type: channelType, listing_id: name };
/** A booking: `reservation_code`, or `channel_type` and `channel_id`. */
export const booking = {
  reservation_code: z.string().min(1).max(100).optional(),
  channel_type: channelType.optional(),
  channel_id: name.optional(),
};
/** The room of a booking, counted from 0. */
export const room = z.int().min(0).max(99).default(0);
/** The channel's own mark of an event: the same mark counts once. */
export const reference = name.optional();

/** Declares one event on a sandbox marketplace, as one change. */
export function sandboxAction<Shape extends z.ZodRawShape>(action: {
  /** The path below `/portal/sandbox/`. */
  path: string;
  input: Shape;
  run(change: Change, input: z.output<z.ZodObject<Shape>>): Promise<object>;
}): PortalRoute {
  return portalRoute({
    method: 'POST',
    path: `/portal/sandbox/${action.path}`,
    access: 'admin',
    input: z.strictObject({ ...action.input, account }),
    run: async ({ services, caller, input: given }) => {
      requireCore(services);
      const { account: named, ...input } = given as Record<string, unknown> & { account?: string };
      const owner = await accountOf(services, caller, named);
      const who = { account: owner, operator: operatorOf(caller) };
      return runChange(services.core, who, (change) =>
        action.run(change, input as unknown as z.output<z.ZodObject<Shape>>),
      );
    },
  });
}

/** Requires a core, because the marketplaces belong to it. @throws ApiError 404 if the service only mirrors */
export function requireCore({ servesCore }: PortalServices): void {
  if (!servesCore) throw new ApiError(404, 'No core runs here, so there is no marketplace to play.');
}
