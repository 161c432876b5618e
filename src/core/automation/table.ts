import { sql } from 'kysely';
import type { Instant, PlainDate } from '../../kernel/dates.ts';
import type { AccountId, ReservationCode, StayCode } from '../../kernel/ids.ts';
import { forUpdateSkipLocked } from '../../store/queries/forUpdateSkipLocked.ts';
import { inList } from '../../store/queries/inList.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { countRows, type Range } from '../../store/queries/paging.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import { unindexed } from '../../store/queries/unindexed.ts';
import type { AccountRow, CoreDb, CoreTransaction } from '../database.ts';
import type { AutomationPlanRow, AutomationRuleRow } from '../workTables.ts';
import { holding } from '../names.ts';
import { type PlannedStay, toldToGuests } from './rules.ts';

interface PlanQuestion extends Range<string> {
  accountId: AccountId;
  type?: string | undefined;
  keyword?: string | undefined;
  stayCode?: string | undefined;
  propertyIds?: readonly number[] | undefined;
  channelTypes?: readonly string[] | undefined;
  event?: string | undefined;
  from?: Instant | undefined;
  /** Inclusive. */
  until: Instant;
  /** next: by time; id: by the id of the plan, which never changes. */
  order?: 'next' | 'id' | undefined;
}

export type NamedPlan = AutomationPlanRow & { property_name: string | null };

/** Returns one page of waiting plans and the number of all matches. */
export async function planPage(
  db: CoreDb,
  question: PlanQuestion,
): Promise<{ rows: NamedPlan[]; keys: string[]; total: number }> {
  const { propertyIds, channelTypes, from } = question;
  let matching = db
    .selectFrom('automation_plans')
    .where('account_id', '=', question.accountId)
    .where('state', '=', 'waiting')
    .where('scheduled_at', '<=', question.until);
  if (from !== undefined) matching = matching.where('scheduled_at', '>=', from);
  if (question.type !== undefined) matching = matching.where('type', '=', question.type as AutomationPlanRow['type']);
  if (question.event !== undefined) {
    matching = matching.where('event', '=', question.event as AutomationPlanRow['event']);
  }
  if (question.stayCode !== undefined) matching = matching.where('stay_code', '=', question.stayCode as StayCode);
  if (propertyIds !== undefined) matching = matching.where((where) => inList(where.ref('property_id'), propertyIds));
  if (channelTypes !== undefined) matching = matching.where((where) => inList(where.ref('channel_type'), channelTypes));
  if (question.keyword !== undefined) matching = matching.where(nameHolds(question.keyword));
  const total = question.total ?? (await countRows(matching));
  const { before } = question;
  const left = before === undefined ? matching : matching.where((of) => of(unindexed(of.ref('plan_id')), '<', before));
  const sorted =
    question.order === 'id'
      ? left.orderBy((of) => unindexed(of.ref('plan_id')), 'desc')
      : left.orderBy('scheduled_at').orderBy('plan_id');
  const page = await sorted.select('plan_id').limit(question.limit).offset(question.offset).execute();
  const ids = page.map((row) => row.plan_id);
  if (ids.length === 0) return { rows: [], keys: [], total };
  const found = new Map((await namedPlans(db, question.accountId, ids)).map((row) => [row.plan_id, row]));
  return { rows: ids.map((id) => found.get(id)).filter((row) => row !== undefined), keys: ids, total };
}

function nameHolds(keyword: string) {
  return sql<boolean>`coalesce(name_key, name) like ${holding(keyword)} escape '\\'`;
}

function namedPlans(db: CoreDb, accountId: AccountId, ids: readonly string[]): Promise<NamedPlan[]> {
  return db
    .selectFrom('automation_plans as plan')
    .leftJoin('properties as property', (join) =>
      join.onRef('property.account_id', '=', 'plan.account_id').onRef('property.id', '=', 'plan.property_id'),
    )
    .where('plan.account_id', '=', accountId)
    .where((where) => inList(where.ref('plan.plan_id'), ids))
    .selectAll('plan')
    .select('property.name as property_name')
    .execute();
}

/** Locks a plan by its id, whoever owns it, until the transaction ends. */
export function lockPlan(trx: CoreTransaction, planId: string): Promise<AutomationPlanRow | undefined> {
  return trx.selectFrom('automation_plans').where('plan_id', '=', planId).selectAll().forUpdate().executeTakeFirst();
}

/** Locks a plan as {@link lockPlan} does, but skips one that another process holds. */
export function claimPlan(trx: CoreTransaction, planId: string): Promise<AutomationPlanRow | undefined> {
  const query = trx.selectFrom('automation_plans').where('plan_id', '=', planId).selectAll();
  return forUpdateSkipLocked(query).executeTakeFirst();
}

/** Lists plans that are due, the oldest first, each with its account. Accounts whose actions are held are left out. */
export function duePlans(
  db: CoreDb,
  now: Instant,
  limit: number,
): Promise<{ plan_id: string; account_id: AccountId }[]> {
  return db
    .selectFrom('automation_plans as plan')
    .innerJoin('accounts as account', 'account.account_id', 'plan.account_id')
    .where('plan.state', '=', sql.lit('waiting'))
    .where('plan.due_at', '<=', now)
    .where('account.automations_held', 'is', null)
    .select(['plan.plan_id', 'plan.account_id'])
    .orderBy('plan.due_at')
    .orderBy('plan.plan_id')
    .limit(limit)
    .execute();
}

export function plansByIds(
  trx: CoreTransaction,
  accountId: AccountId,
  planIds: readonly string[],
): Promise<AutomationPlanRow[]> {
  return trx
    .selectFrom('automation_plans')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('plan_id'), planIds))
    .selectAll()
    .forUpdate()
    .execute();
}

export function plansOfStays(
  trx: CoreTransaction,
  accountId: AccountId,
  stayIds: readonly number[],
): Promise<AutomationPlanRow[]> {
  return trx
    .selectFrom('automation_plans')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('stay_id'), stayIds))
    .selectAll()
    .forUpdate()
    .execute();
}

/** Lists waiting reviews for the stays of one reservation. */
export function waitingReviews(
  trx: CoreTransaction,
  accountId: AccountId,
  code: ReservationCode,
): Promise<AutomationPlanRow[]> {
  return trx
    .selectFrom('automation_plans')
    .where('account_id', '=', accountId)
    .where('stay_id', 'in', (select) =>
      select.selectFrom('stays').where('account_id', '=', accountId).where('reservation_code', '=', code).select('id'),
    )
    .where('type', '=', 'review')
    .where('state', '=', 'waiting')
    .selectAll()
    .forUpdate()
    .execute();
}

export async function addPlans(trx: CoreTransaction, rows: readonly AutomationPlanRow[]): Promise<void> {
  await insertMany(trx, 'automation_plans', rows);
}

export async function changePlan(
  trx: CoreTransaction,
  plan: Pick<AutomationPlanRow, 'account_id' | 'plan_id'>,
  columns: Partial<AutomationPlanRow>,
): Promise<void> {
  await trx
    .updateTable('automation_plans')
    .set(columns)
    .where('account_id', '=', plan.account_id)
    .where('plan_id', '=', plan.plan_id)
    .execute();
}

export async function dropPlans(trx: CoreTransaction, accountId: AccountId, planIds: readonly string[]): Promise<void> {
  if (planIds.length === 0) return;
  await trx
    .deleteFrom('automation_plans')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('plan_id'), planIds))
    .execute();
}

/**
 * Marks plans that may have been executed before an earlier backup was restored, so that a person decides.
 * @param until time at which a plan is given up
 */
export async function doubtPlans(
  trx: CoreTransaction,
  { before, why, until }: { before: Instant; why: string; until: Instant },
): Promise<void> {
  await trx
    .updateTable('automation_plans')
    .set({ doubt: why, due_at: until })
    .where('state', '=', 'waiting')
    .where('type', 'in', toldToGuests)
    .where('moment', '<=', before)
    .execute();
}

/** Counts, per account, the plans that wait for a person because they may have been executed. */
export function doubtedPlans(db: CoreDb): Promise<{ account_id: AccountId; plans: number }[]> {
  return db
    .selectFrom('automation_plans')
    .where('state', '=', sql.lit('waiting'))
    .where('doubt', 'is not', null)
    .groupBy('account_id')
    .select((of) => ['account_id' as const, of.fn.countAll<number>().as('plans')])
    .execute();
}

/** Returns some waiting plans of a rule. */
export async function waitingOfRule(
  trx: CoreTransaction,
  rule: Pick<AutomationRuleRow, 'account_id' | 'id'>,
  limit: number,
): Promise<string[]> {
  const rows = await trx
    .selectFrom('automation_plans')
    .where('account_id', '=', rule.account_id)
    .where('rule_id', '=', rule.id)
    .where('state', '=', 'waiting')
    .select('plan_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.plan_id);
}

/**
 * Returns the active rules. It locks the account against changes of its rules until the transaction ends, so that a
 * rule created meanwhile finds the stays of this transaction.
 */
export async function actingRules(trx: CoreTransaction, accountId: AccountId): Promise<AutomationRuleRow[]> {
  await trx.selectFrom('accounts').where('account_id', '=', accountId).select('account_id').forShare().execute();
  return trx
    .selectFrom('automation_rules')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where('is_enabled', '=', 1)
    .selectAll()
    .orderBy('id')
    .execute();
}

export function rulesOf(db: CoreDb, accountId: AccountId): Promise<AutomationRuleRow[]> {
  return db
    .selectFrom('automation_rules')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .selectAll()
    .orderBy('id', 'desc')
    .execute();
}

/** Locks a rule by its number, whoever owns it, deleted or not. */
export function lockRule(trx: CoreTransaction, id: number): Promise<AutomationRuleRow | undefined> {
  return trx.selectFrom('automation_rules').where('id', '=', id).selectAll().forUpdate().executeTakeFirst();
}

export async function addRule(trx: CoreTransaction, draft: Omit<AutomationRuleRow, 'id'>): Promise<number> {
  const id = await nextIds(trx, 'automation_rules');
  await trx
    .insertInto('automation_rules')
    .values({ ...draft, id })
    .execute();
  return id;
}

export async function changeRule(
  trx: CoreTransaction,
  rule: Pick<AutomationRuleRow, 'account_id' | 'id'>,
  columns: Partial<AutomationRuleRow>,
): Promise<void> {
  await trx
    .updateTable('automation_rules')
    .set(columns)
    .where('account_id', '=', rule.account_id)
    .where('id', '=', rule.id)
    .execute();
}

/** Lists rules whose change has not reached all stays yet. */
export function unplannedRules(db: CoreDb): Promise<{ account_id: AccountId; id: number }[]> {
  return db.selectFrom('automation_rules').where('planned_to', 'is not', null).select(['account_id', 'id']).execute();
}

export type StayToPlan = PlannedStay & { stay_code: StayCode };

/** Returns stays with the fields that rules need. */
export function staysByCodes(
  trx: CoreTransaction,
  account: AccountRow,
  codes: readonly string[],
): Promise<StayToPlan[]> {
  return staysToPlan(trx, account)
    .where((where) => inList(where.ref('stay.stay_code'), codes as readonly StayCode[]))
    .execute();
}

/** Returns the next stays by number that end on this date or later, locked until the transaction ends. */
export function staysAfter(
  trx: CoreTransaction,
  account: AccountRow,
  { after, since, limit }: { after: number; since: PlainDate; limit: number },
): Promise<StayToPlan[]> {
  return staysToPlan(trx, account)
    .where('stay.id', '>', after)
    .where('stay.check_out_date', '>=', since)
    .orderBy('stay.id')
    .limit(limit)
    .forUpdate('stay')
    .execute();
}

function staysToPlan(trx: CoreTransaction, account: AccountRow) {
  return trx
    .selectFrom('stays as stay')
    .leftJoin('properties as property', (join) =>
      join.onRef('property.account_id', '=', 'stay.account_id').onRef('property.id', '=', 'stay.property_id'),
    )
    .where('stay.account_id', '=', account.account_id)
    .select([
      'stay.id',
      'stay.stay_code',
      'stay.status',
      'stay.property_id',
      'stay.channel_type',
      'stay.check_in_date',
      'stay.check_out_date',
      'stay.booked_at',
      'stay.created_at',
    ])
    .select((of) =>
      of.fn
        .coalesce(
          of
            .selectFrom('stays as other')
            .whereRef('other.account_id', '=', 'stay.account_id')
            .whereRef('other.reservation_code', '=', 'stay.reservation_code')
            .select((inner) => inner.fn.max('other.check_out_date').as('last')),
          'stay.check_out_date',
        )
        .as('booking_ends'),
    )
    .select((of) => of.fn.coalesce('property.time_zone', of.val(account.time_zone)).as('zone'));
}
