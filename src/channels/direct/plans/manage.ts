import { lockAccount } from '../../../core/accounts/lock.ts';
import { runChange } from '../../../core/change.ts';
import type { Change, Core, Principal } from '../../../core/context.ts';
import type { AccountRow } from '../../../core/database.ts';
import { maySee, requireProperties, requireProperty } from '../../../core/ownership.ts';
import { instantOf } from '../../../kernel/dates.ts';
import { ApiError, invalid } from '../../../kernel/errors.ts';
import { nextIds } from '../../../store/leases/sequences.ts';
import { planOfWritten, type WrittenPlan } from './plan.ts';
import { addVersion, assignPlan, newestVersion, planOf, plansOf, releaseProperties, type StoredPlan } from './table.ts';

/** A person of an account, and the properties that they see. */
export type PlanKeeper = Pick<Principal, 'visible'> & {
  account: AccountRow;
  operator: Principal['operator'] | null;
};

/** Returns the plans of the properties that somebody sees, by id. */
export async function plansFor(core: Core, who: PlanKeeper): Promise<StoredPlan[]> {
  const plans = await plansOf(core.store.db, { accountId: who.account.account_id, properties: who.visible });
  return plans.map((plan) => within(who, plan));
}

/** Returns the plan of a property. @throws ApiError 403 or 404 for the property, 404 if it has no plan */
export async function requirePlan(core: Core, who: PlanKeeper, propertyId: number): Promise<StoredPlan> {
  await requireProperty(core.store.db, who.account, who, propertyId);
  const plan = await planOf(core.store.db, { accountId: who.account.account_id, propertyId });
  if (!plan) throw withoutPlan();
  return within(who, plan);
}

/** Names the properties of a plan that somebody sees, and no others. */
function within(who: PlanKeeper, plan: StoredPlan): StoredPlan {
  return { ...plan, property_ids: plan.property_ids.filter((id) => maySee(who, id)) };
}

/** Returns the error for a property without a plan. */
export function withoutPlan(): ApiError {
  const says = 'property_id: the property has no rate plan; set one on its page, or with stayd rates set';
  return new ApiError(404, says, { field: 'property_id' });
}

/** A plan and the properties that are to have it. */
interface PlanOrder {
  readonly properties: readonly number[];
  readonly written: WrittenPlan;
  /** The version that the sender has seen; null: none. Left out: whatever there is, is replaced. */
  readonly seen?: Pick<StoredPlan, 'id' | 'version'> | null | undefined;
}

/**
 * Gives properties a plan. A plan that none but these properties have gets a new version; otherwise a plan begins, and
 * the others keep theirs. Nothing is written if nothing changes.
 * @throws ApiError 403 or 404 for a property, 409 if somebody else changed the plan meanwhile, 422 for a plan with
 * mistakes, or one in another currency than a property's
 */
export async function setPlan(core: Core, who: PlanKeeper, order: PlanOrder): Promise<StoredPlan> {
  const { written, seen } = order;
  const properties = await requireProperties(core.store.db, who.account, who, order.properties);
  for (const id of properties) await requireCurrency(core, who, { id, written });
  const read = planOfWritten(written);
  if ('mistakes' in read) throw invalid('plan', read.mistakes[0]?.problem ?? 'has a mistake');
  await runChange(core, who, async (change) => {
    const accountId = who.account.account_id;
    await lockAccount(change.trx, accountId);
    const before = await plansOf(change.trx, { accountId, properties });
    if (seen !== undefined) requireSeen(before, seen);
    const own = before.find((plan) => plan.property_ids.every((id) => properties.includes(id)));
    const holdsAll = own?.property_ids.length === properties.length;
    if (own && holdsAll && JSON.stringify(own.written) === JSON.stringify(written)) return;
    await writePlan(change, { own, written, properties });
  });
  const [first] = properties;
  return requirePlan(core, who, first ?? 0);
}

async function writePlan(
  change: Change,
  order: { own: StoredPlan | undefined; written: WrittenPlan; properties: readonly number[] },
): Promise<void> {
  const { own, written, properties } = order;
  const { account_id } = change.account;
  const id = own?.id ?? (await nextIds(change.trx, 'rate_plans'));
  const version = (await newestVersion(change.trx, account_id, id)) + 1;
  await addVersion(change.trx, {
    account_id,
    id,
    version,
    plan: JSON.stringify(written),
    made_at: instantOf(change.now),
  });
  await assignPlan(change.trx, { account_id, id, version }, properties);
  const before = own && { properties: own.property_ids, plan: own.written };
  const after = { properties, plan: written };
  change.audit('set rate plan', `${id}/${version}`, before === undefined ? { after } : { before, after });
}

async function requireCurrency(
  core: Core,
  who: PlanKeeper,
  { id, written }: { id: number; written: WrittenPlan },
): Promise<void> {
  const property = await requireProperty(core.store.db, who.account, who, id);
  if (property.currency === written.currency) return;
  throw invalid('currency', `must be ${property.currency}, the currency of ${property.name} (${id})`);
}

function requireSeen(before: readonly StoredPlan[], seen: Pick<StoredPlan, 'id' | 'version'> | null): void {
  const isSame = before.length === 0 ? seen === null : before.some(isVersion(seen));
  if (isSame) return;
  throw new ApiError(409, 'Somebody else has changed the plan since you opened it: open it again.', { field: 'seen' });
}

function isVersion(seen: Pick<StoredPlan, 'id' | 'version'> | null) {
  return ({ id, version }: StoredPlan) => id === seen?.id && version === seen.version;
}

/**
 * Leaves a property without a plan; others keep it, and so does every quote that was made with it.
 * @throws ApiError 403 or 404 for the property, 404 if it has no plan
 */
export async function removePlan(core: Core, who: PlanKeeper, propertyId: number): Promise<void> {
  const plan = await requirePlan(core, who, propertyId);
  await runChange(core, who, async (change) => {
    await releaseProperties(change.trx, who.account.account_id, [propertyId]);
    change.audit('remove rate plan', String(plan.id), { before: { properties: [propertyId], plan: plan.written } });
  });
}
