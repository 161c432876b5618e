import { ApiError } from '../../kernel/errors.ts';
import type { Change, Principal } from '../context.ts';
import { refuseForeign } from '../ownership.ts';
import type { StaffRow } from '../workTables.ts';
import { lockStaff, placesOf } from './table.ts';

/**
 * Returns the member of staff with an id from a request, locked until the change ends.
 * @throws ApiError 403 for another account's, 404 for an unknown one and for one who works in no property of the caller
 */
export async function requireStaff(
  { trx, account }: Change,
  { visible }: Pick<Principal, 'visible'>,
  id: number,
  field: string,
): Promise<StaffRow> {
  const staff = await lockStaff(trx, id);
  refuseForeign(staff, account, field);
  const isSeen =
    staff &&
    (visible === null || staff.everywhere === 1 || (await placesOf(trx, staff)).some((one) => visible.includes(one)));
  if (!isSeen) throw new ApiError(404, `${field} not found.`, { field });
  return staff;
}
