import { texts } from '../../contract/errors.ts';
import { ApiError, invalid } from '../../kernel/errors.ts';
import type { Change, Principal } from '../context.ts';
import type { StayRow } from '../database.ts';
import { goneResource, maySee, requireProperty } from '../ownership.ts';
import { findStay } from '../reservations/lookup.ts';
import type { TaskRow } from '../workTables.ts';

/** The stay and the property of a task. */
type TaskLink = Pick<TaskRow, 'stay_code' | 'property_id'>;

interface LinkInput {
  /** null detaches the task from its stay. */
  stay_code?: string | null | undefined;
  /** 0 detaches the task from its property, and thereby from its stay. */
  property_id?: number | undefined;
}

/**
 * Returns the stay and the property of a task after a request. A stay sets its property.
 * @param before present link of the task
 * @throws ApiError 404 or 403 for a stay or property that the caller does not have, 422 when the property is not the
 * stay's, 401 for a sub-account that would leave the task without a property
 */
export async function requireLink(
  change: Change,
  principal: Principal,
  input: LinkInput,
  before: TaskLink,
): Promise<TaskLink> {
  if (input.stay_code === undefined && input.property_id === undefined && before.property_id !== null) return before;
  const named = input.property_id
    ? await requireProperty(change.trx, change.account, principal, input.property_id)
    : null;
  const stay = await requireTaskStay(change, principal, input, before);
  const isAsked = typeof input.stay_code === 'string';
  if (stay && input.property_id !== undefined && (isAsked || input.property_id !== 0)) {
    if (placeOf(stay) !== (named?.id ?? null)) throw invalid('property_id', 'is not the property of the stay');
  }
  const property_id =
    isAsked && stay ? placeOf(stay) : input.property_id === undefined ? before.property_id : (named?.id ?? null);
  if (property_id === null && principal.visible !== null) throw new ApiError(401, texts.readOnlyToken);
  const leavesStay = input.property_id === 0 && !isAsked;
  return { stay_code: stay && !leavesStay ? stay.stay_code : null, property_id };
}

async function requireTaskStay(
  { trx, account }: Change,
  principal: Principal,
  input: LinkInput,
  before: TaskLink,
): Promise<StayRow | undefined> {
  const code: string | null = input.stay_code === undefined ? before.stay_code : input.stay_code;
  if (code === null) return undefined;
  const stay = await findStay(trx, account.account_id, code);
  if (input.stay_code !== undefined && (!stay || !maySee(principal, stay.property_id))) throw goneResource();
  return stay;
}

/** Returns the property of a stay; null in the reservation box. */
function placeOf(stay: StayRow): number | null {
  return stay.property_id === 0 ? null : stay.property_id;
}

/** The link of a task without stay and property. */
export const UNLINKED: TaskLink = { stay_code: null, property_id: null };
