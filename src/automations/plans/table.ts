import { inList } from '../../store/queries/inList.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { next, sourcesOf } from '../../kernel/transitions.ts';
import type { AutomationLogTable, AutomationPlansTable } from '../tables.ts';
import type { MirrorDb, MirrorTrx } from '../../sync/tables/database.ts';
import type { Automating } from '../context.ts';
import { instantOf } from '../../kernel/dates.ts';
import { pendingStates, planLife, type PlanState, type PlanTrigger } from './states.ts';

export type Plan = AutomationPlansTable;
type PlanChange = Partial<Omit<Plan, 'connection' | 'plan_id'>>;

/** Returns all plans of these stays. */
export async function plansOfStays(db: MirrorDb, connection: string, stays: readonly string[]): Promise<Plan[]> {
  return db
    .selectFrom('automation_plans')
    .selectAll()
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('stay_code'), stays))
    .execute();
}

/** Counts the plans that may still send something, or that a person must decide, by state. */
export async function openPlans(db: MirrorDb, connection: string): Promise<[state: PlanState, plans: number][]> {
  const rows = await db
    .selectFrom('automation_plans')
    .select((of) => ['state', of.fn.countAll<number>().as('plans')])
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('state'), pendingStates))
    .groupBy('state')
    .execute();
  return rows.map(({ state, plans }) => [state, Number(plans)]);
}

/** Inserts plans. A plan with the same rule, subject and occurrence stays as it is. */
export async function insertPlans(trx: MirrorTrx, plans: readonly Plan[]): Promise<void> {
  await insertMany(trx, 'automation_plans', plans, { columns: ['connection', 'rule', 'subject', 'occurrence'] });
}

export async function changePlan(db: MirrorDb, connection: string, planId: string, change: PlanChange): Promise<void> {
  await db
    .updateTable('automation_plans')
    .set(change)
    .where('connection', '=', connection)
    .where('plan_id', '=', planId)
    .execute();
}

/**
 * Moves a plan by a trigger, provided it is still in a state that allows it.
 * @param from fewer states than allow it
 * @returns false if another process was faster
 * @throws IllegalTransition if the state as read does not allow the trigger
 */
export async function movePlan(
  db: MirrorDb,
  { connection, plan_id, state }: Pick<Plan, 'connection' | 'plan_id' | 'state'>,
  trigger: PlanTrigger,
  change: Omit<PlanChange, 'state'>,
  from: readonly PlanState[] = sourcesOf(planLife, trigger),
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('automation_plans')
    .set({ ...change, state: next(planLife, state, trigger) })
    .where('connection', '=', connection)
    .where('plan_id', '=', plan_id)
    .where((eb) => inList(eb.ref('state'), from))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function planById(db: MirrorDb, connection: string, planId: string): Promise<Plan | undefined> {
  return db
    .selectFrom('automation_plans')
    .selectAll()
    .where('connection', '=', connection)
    .where('plan_id', '=', planId)
    .executeTakeFirst();
}

/** An event in the life of a plan or a rule, for people. */
export interface Entry {
  rule: string;
  what: string;
  plan?: Pick<Plan, 'plan_id' | 'stay_code'>;
  reason?: string | null;
  detail?: string | null;
}

/** Writes entries of the log. */
export async function writeLog(
  trx: MirrorTrx,
  { connection, clock, ids }: Pick<Automating, 'connection' | 'clock' | 'ids'>,
  entries: readonly Entry[],
): Promise<void> {
  const at = instantOf(clock.now());
  const rows = entries.map(({ rule, what, plan, reason = null, detail = null }): AutomationLogTable => {
    const [plan_id, stay_code] = [plan?.plan_id ?? null, plan?.stay_code ?? null];
    return { connection, entry_id: ids(), at, rule, plan_id, stay_code, what, reason, detail };
  });
  await insertMany(trx, 'automation_log', rows);
}

/** Stores the text of a plan for people to read. An edited text retains its sources. */
export async function keepDraft(
  trx: MirrorTrx,
  { connection, plan_id }: Pick<Plan, 'connection' | 'plan_id'>,
  { text, sources = null }: { text: string; sources?: readonly object[] | null },
  made_at: string,
): Promise<void> {
  const row = { connection, plan_id, text, made_at, sources: sources && JSON.stringify(sources) };
  await insertMany(trx, 'automation_drafts', [row], {
    columns: ['connection', 'plan_id'],
    update: ['text', 'made_at', ...(sources === null ? [] : (['sources'] as const))],
  });
}

export async function dropDraft(
  db: MirrorDb,
  { connection, plan_id }: Pick<Plan, 'connection' | 'plan_id'>,
): Promise<void> {
  await db
    .deleteFrom('automation_drafts')
    .where('connection', '=', connection)
    .where('plan_id', '=', plan_id)
    .execute();
}

export async function draftOf(
  db: MirrorDb,
  { connection, plan_id }: Pick<Plan, 'connection' | 'plan_id'>,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('automation_drafts')
    .select('text')
    .where('connection', '=', connection)
    .where('plan_id', '=', plan_id)
    .executeTakeFirst();
  return row?.text;
}
