import { dateIn, instantOf, msOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Change } from '../context.ts';
import type { StayRow } from '../database.ts';
import { openLockCode } from '../reservations/lockCode.ts';
import { findBooker, findStay } from '../reservations/lookup.ts';
import { addTask } from '../tasks/work.ts';
import type { AutomationPlanRow, AutomationRuleRow, RuleType } from '../workTables.ts';
import { requireMove } from '../requireMove.ts';
import { storedAction } from './actions.ts';
import type { AutomationPorts } from './ports.ts';
import { actionLife, filledIn, requireCheckedOut } from './rules.ts';
import { changePlan, lockRule, waitingReviews } from './table.ts';

/** The plan with the present state of its stay and rule. */
interface Occasion {
  plan: AutomationPlanRow;
  rule: AutomationRuleRow;
  stay: StayRow;
  property: { name: string; zone: string };
}

type Perform = (change: Change, occasion: Occasion, ports: AutomationPorts) => Promise<void>;

const performers: Record<RuleType, Perform> = {
  async message(change, { rule, stay, property }, ports) {
    const { content } = storedAction('message', rule.action);
    const guest = await findBooker(change.trx, stay);
    const values = {
      guest_name: guest?.name ?? '',
      property_name: property.name,
      check_in_date: stay.check_in_date,
      check_out_date: stay.check_out_date,
      reservation_code: stay.reservation_code,
      lock_code: openLockCode(change.core.sealer, stay) ?? '',
    };
    await ports.sendMessage(change, { stay, content: filledIn(content, values), rule });
  },
  async review(change, { rule, stay, property }, ports) {
    requireCheckedOut(stay.check_out_date, property.zone, change.now);
    await ports.postReview(change, { stay, ...storedAction('review', rule.action) });
    // A reservation is reviewed once, by the first of its rooms.
    for (const other of await waitingReviews(change.trx, stay.account_id, stay.reservation_code)) {
      const state = requireMove(actionLife, other.state, 'execute');
      await changePlan(change.trx, other, { state, ended_at: instantOf(change.now), problem: null });
    }
  },
  async task(change, { plan, rule, stay, property }) {
    const { task_type, note } = storedAction('task', rule.action);
    await addTask(change, {
      account_id: change.account.account_id,
      type: task_type,
      status: 'pending',
      property_id: stay.property_id === 0 ? null : stay.property_id,
      stay_code: stay.stay_code,
      staff_id: null,
      expected_date: dateIn(property.zone, msOf(plan.moment)),
      expected_time: null,
      level: null,
      currency: change.account.currency,
      fee: null,
      note,
    });
  },
};

/**
 * Executes a plan that this change has locked. The effect and the end of the plan commit together, so it happens once
 * or not at all.
 * @throws ApiError 400 when the plan no longer waits or its time has not come
 */
export async function executePlan(change: Change, plan: AutomationPlanRow, ports: AutomationPorts): Promise<void> {
  const state = requireMove(actionLife, plan.state, 'execute');
  const occasion = await occasionOf(change, plan);
  await performers[plan.type](change, occasion, ports);
  await changePlan(change.trx, plan, { state, ended_at: instantOf(change.now), problem: null });
  change.audit('executeAutomationAction', plan.plan_id);
}

async function occasionOf({ trx, account }: Change, plan: AutomationPlanRow): Promise<Occasion> {
  const rule = await lockRule(trx, plan.rule_id);
  const stay = await findStay(trx, account.account_id, plan.stay_code);
  if (!rule || rule.deleted_at !== null || rule.is_enabled === 0) {
    throw new ApiError(404, 'The rule of this action acts no longer.');
  }
  if (!stay) throw new ApiError(404, 'The stay of this action is gone.');
  const property = await trx
    .selectFrom('properties')
    .where('account_id', '=', account.account_id)
    .where('id', '=', stay.property_id)
    .select(['name', 'time_zone as zone'])
    .executeTakeFirst();
  return { plan, rule, stay, property: property ?? { name: '', zone: account.time_zone } };
}
