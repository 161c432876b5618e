import type { CoreDb, CoreTransaction } from '../../../core/database.ts';
import type { Instant } from '../../../kernel/dates.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import { inList } from '../../../store/queries/inList.ts';
import { insertMany } from '../../../store/queries/insertMany.ts';
import { planOfWritten, type RatePlan, ratePlan, type WrittenPlan } from './plan.ts';
import type { RatePlanRow } from './rows.ts';

type Db = CoreDb | CoreTransaction;

/** A version of a rate plan, and the properties that have it. */
export interface StoredPlan {
  readonly id: number;
  readonly version: number;
  readonly made_at: Instant;
  readonly written: WrittenPlan;
  readonly plan: RatePlan;
  /** Properties that have this version now; none for an earlier one. */
  readonly property_ids: readonly number[];
}

/** Returns the plan that a property has; undefined if it has none. */
export async function planOf(
  db: Db,
  { accountId, propertyId }: { accountId: AccountId; propertyId: number },
): Promise<StoredPlan | undefined> {
  const [plan] = await plansOf(db, { accountId, properties: [propertyId] });
  return plan;
}

/** Returns the plans of the named properties, or of all, by id. */
export async function plansOf(
  db: Db,
  { accountId, properties = null }: { accountId: AccountId; properties?: readonly number[] | null },
): Promise<StoredPlan[]> {
  const rows = await db
    .selectFrom('rate_plans')
    .where('account_id', '=', accountId)
    .where((where) => {
      const held = where
        .selectFrom('rate_plan_properties as held')
        .whereRef('held.account_id', '=', 'rate_plans.account_id')
        .whereRef('held.plan_id', '=', 'rate_plans.id')
        .whereRef('held.version', '=', 'rate_plans.version')
        .select('held.plan_id');
      return where.exists(
        properties === null ? held : held.where((of) => inList(of.ref('held.property_id'), properties)),
      );
    })
    .selectAll()
    .orderBy('id')
    .execute();
  return withProperties(db, accountId, rows);
}

/** Returns a version of a plan, also one that no property has any more: quotes name the one they were made with. */
export async function planVersion(
  db: Db,
  { accountId, id, version }: { accountId: AccountId; id: number; version: number },
): Promise<StoredPlan | undefined> {
  const rows = await db
    .selectFrom('rate_plans')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('version', '=', version)
    .selectAll()
    .execute();
  const [plan] = await withProperties(db, accountId, rows);
  return plan;
}

async function withProperties(db: Db, accountId: AccountId, rows: readonly RatePlanRow[]): Promise<StoredPlan[]> {
  const ids = [...new Set(rows.map(({ id }) => id))];
  const held = await db
    .selectFrom('rate_plan_properties')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('plan_id'), ids))
    .selectAll()
    .orderBy('property_id')
    .execute();
  return rows.map((row) => ({
    ...readPlan(row),
    property_ids: held
      .filter(({ plan_id, version }) => plan_id === row.id && version === row.version)
      .map(({ property_id }) => property_id),
  }));
}

function readPlan({ id, version, made_at, plan: json }: RatePlanRow): Omit<StoredPlan, 'property_ids'> {
  const written = ratePlan.parse(JSON.parse(json));
  const read = planOfWritten(written);
  if ('mistakes' in read) throw new Error(`rate plan ${id}, version ${version}, has a mistake that was not stored so`);
  return { id, version, made_at, written, plan: read.plan };
}

/** Returns the number of the newest version of a plan; 0 if there is none. */
export async function newestVersion(db: Db, accountId: AccountId, id: number): Promise<number> {
  const { newest } = await db
    .selectFrom('rate_plans')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .select((of) => of.fn.max('version').as('newest'))
    .executeTakeFirstOrThrow();
  return Number(newest ?? 0);
}

/** Adds a version of a plan; properties have it by {@link assignPlan}. */
export async function addVersion(trx: CoreTransaction, row: RatePlanRow): Promise<void> {
  await trx.insertInto('rate_plans').values(row).execute();
}

/** Gives properties a version of a plan in the place of what they had. */
export async function assignPlan(
  trx: CoreTransaction,
  { account_id, id, version }: Pick<RatePlanRow, 'account_id' | 'id' | 'version'>,
  properties: readonly number[],
): Promise<void> {
  await releaseProperties(trx, account_id, properties);
  const rows = properties.map((property_id) => ({ account_id, property_id, plan_id: id, version }));
  await insertMany(trx, 'rate_plan_properties', rows);
}

/** Leaves properties without a plan. Its versions stay. */
export async function releaseProperties(
  trx: CoreTransaction,
  accountId: AccountId,
  properties: readonly number[],
): Promise<void> {
  await trx
    .deleteFrom('rate_plan_properties')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('property_id'), properties))
    .execute();
}
