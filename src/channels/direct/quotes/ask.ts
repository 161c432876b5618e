import type { Core } from '../../../core/context.ts';
import { requireProperty } from '../../../core/ownership.ts';
import { dateIn } from '../../../kernel/dates.ts';
import { ApiError } from '../../../kernel/errors.ts';
import { type PlanKeeper, requirePlan } from '../plans/manage.ts';
import type { StoredPlan } from '../plans/table.ts';
import { quoteOf } from './quote.ts';
import type { Asked } from './terms.ts';

/** A stay at a property; a booking today, unless another day is given. */
export type AskedOf = Omit<Asked, 'booked_on'> & {
  readonly property_id: number;
  readonly booked_on?: string | undefined;
};

/**
 * Returns the price of a stay by the plan of its property. It says nothing about free nights.
 * @throws ApiError 403 or 404 for the property, 404 if it has no plan, 409 if its currency is another one by now
 */
export async function askQuote(
  core: Core,
  who: PlanKeeper,
  { property_id, booked_on, ...asked }: AskedOf,
): Promise<{ plan: StoredPlan; booked_on: string; answer: ReturnType<typeof quoteOf> }> {
  const property = await requireProperty(core.store.db, who.account, who, property_id);
  const plan = await requirePlan(core, who, property_id);
  if (property.currency !== plan.plan.currency) {
    const says = `The rate plan is in ${plan.plan.currency}, and the property in ${property.currency}: set the plan again.`;
    throw new ApiError(409, says, { field: 'property_id' });
  }
  const on = booked_on ?? dateIn(property.time_zone, core.clock.now());
  return { plan, booked_on: on, answer: quoteOf(plan.plan, { ...asked, booked_on: on }) };
}
