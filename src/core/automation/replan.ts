import { addDays, dateIn, instantOf } from '../../kernel/dates.ts';
import { next } from '../../kernel/transitions.ts';
import type { Change } from '../context.ts';
import { searchKey } from '../names.ts';
import type { AutomationPlanRow, AutomationRuleRow } from '../workTables.ts';
import { actionLife, doubtOf, LATEST_MS, planIdOf, plannedTime, settlePlan } from './rules.ts';
import {
  actingRules,
  addPlans,
  changePlan,
  changeRule,
  dropPlans,
  lockRule,
  plansByIds,
  plansOfStays,
  staysAfter,
  staysByCodes,
  type StayToPlan,
  waitingOfRule,
} from './table.ts';

/** Rows of one transaction. */
const BATCH = 200;
/** The longest delay of a rule after an event, plus a day for time zones. */
const LOOK_BACK_DAYS = 31;

/** Brings the plans of changed stays up to date. */
export async function replanStays(change: Change, stayCodes: readonly string[]): Promise<void> {
  const { trx, account } = change;
  const rules = await actingRules(trx, account.account_id);
  // Plans that ended rules left behind are dropped with the rules.
  if (rules.length === 0) return;
  const stays = await staysByCodes(trx, account, stayCodes);
  const ids = stays.map((stay) => stay.id);
  await settle(change, rules, stays, await plansOfStays(trx, account.account_id, ids));
}

/**
 * Applies a changed rule to some more stays. Waiting plans of a rule that is no longer active are dropped.
 * @returns true if more stays remain
 */
export async function replanRule(change: Change, ruleId: number): Promise<boolean> {
  const { trx, account } = change;
  const rule = await lockRule(trx, ruleId);
  if (!rule || rule.planned_to === null) return false;
  if (rule.is_enabled === 0 || rule.deleted_at !== null) {
    const waiting = await waitingOfRule(trx, rule, BATCH);
    await dropPlans(trx, account.account_id, waiting);
    return endOfRule(change, rule, waiting.length < BATCH ? null : 0);
  }
  const since = addDays(dateIn(account.time_zone, change.now), -LOOK_BACK_DAYS);
  const stays = await staysAfter(trx, account, { after: rule.planned_to, since, limit: BATCH });
  const ids = stays.map((stay) => planIdOf(rule.id, stay.id));
  await settle(change, [rule], stays, await plansByIds(trx, account.account_id, ids));
  return endOfRule(change, rule, stays.length < BATCH ? null : (stays.at(-1)?.id ?? null));
}

async function endOfRule({ trx }: Change, rule: AutomationRuleRow, plannedTo: number | null): Promise<boolean> {
  await changeRule(trx, rule, { planned_to: plannedTo });
  return plannedTo !== null;
}

async function settle(
  change: Change,
  rules: readonly AutomationRuleRow[],
  stays: readonly StayToPlan[],
  known: readonly AutomationPlanRow[],
): Promise<void> {
  const { trx, account, now } = change;
  const open = new Map(known.map((plan) => [plan.plan_id, plan]));
  const added: AutomationPlanRow[] = [];
  const dropped: string[] = [];
  for (const stay of stays) {
    for (const rule of rules) {
      const plan_id = planIdOf(rule.id, stay.id);
      const plan = open.get(plan_id);
      open.delete(plan_id);
      const wanted = plannedTime(rule, stay, now);
      const step = settlePlan(plan, wanted);
      if (step === 'drop') dropped.push(plan_id);
      if (plan && step === 'remove') {
        await changePlan(trx, plan, { state: next(actionLife, plan.state, 'delete'), ended_at: instantOf(now) });
      }
      if (!wanted || step === 'drop' || (plan && plan.state !== 'waiting')) continue;
      const shown = {
        stay_code: stay.stay_code,
        property_id: stay.property_id,
        channel_type: stay.channel_type,
        event: rule.event,
        name: rule.name,
        name_key: searchKey(rule.name),
      };
      const doubt = doubtOf(account, { type: rule.type, moment: wanted.moment, booked_at: stay.booked_at });
      const due_at = doubt === null ? wanted.scheduled_at : instantOf(now + LATEST_MS);
      const times = { ...wanted, due_at, doubt };
      if (step === 'add') {
        const { account_id } = account;
        const origin = { account_id, plan_id, rule_id: rule.id, stay_id: stay.id, type: rule.type };
        const state = { state: next(actionLife, null, 'plan'), attempts: 0, problem: null, ended_at: null };
        added.push({ ...origin, ...shown, ...times, ...state });
      } else if (plan && (step === 'move' || isShownOtherwise(plan, shown))) {
        await changePlan(trx, plan, { ...shown, ...(step === 'move' && { ...times, attempts: 0, problem: null }) });
      }
    }
  }
  // Drops the waiting plans of rules that are no longer active.
  dropped.push(...[...open.values()].filter((plan) => plan.state === 'waiting').map((plan) => plan.plan_id));
  await addPlans(trx, added);
  await dropPlans(trx, account.account_id, dropped);
}

function isShownOtherwise(plan: AutomationPlanRow, shown: Partial<AutomationPlanRow>): boolean {
  return Object.entries(shown).some(([name, value]) => Reflect.get(plan, name) !== value);
}
