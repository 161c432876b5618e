import type { Keeper } from '../../../channels/direct/bookings/pages.ts';
import type { DirectWork } from '../../../channels/direct/work.ts';
import type { Core } from '../../../core/context.ts';
import { ApiError } from '../../../kernel/errors.ts';
import type { Caller } from '../../access.ts';
import type { PortalServices } from '../route.ts';
import { accountOf, operatorOf, visibleTo } from '../who.ts';

/** Returns who asks, and what direct bookings work with. @throws ApiError 409 where no core runs */
export async function directKeeper(
  services: PortalServices,
  caller: Caller,
  named: string | undefined,
): Promise<{ who: Keeper; core: Core; work: DirectWork }> {
  const { core, direct } = services;
  if (direct === null) throw new ApiError(409, 'Direct bookings belong to a core, and none runs here.');
  const account = await accountOf(services, caller, named);
  return { who: { account, operator: operatorOf(caller), visible: visibleTo(caller) }, core, work: direct };
}
