import { AUTOMATION_DAYS } from '../../contract/automationActions.ts';
import { endOfDay, type Instant, instantOf, isPlainDate, readInstant } from '../../kernel/dates.ts';
import { ApiError, invalid } from '../../kernel/errors.ts';
import type { Change, Handler, Handlers, Principal } from '../context.ts';
import { closePage, pageOf } from '../cursor.ts';
import { maySee, refuseForeign } from '../ownership.ts';
import type { AutomationPlanRow } from '../workTables.ts';
import { requireMove } from '../requireMove.ts';
import { executePlan } from './execute.ts';
import type { AutomationPorts } from './ports.ts';
import { presentPlan } from './present.ts';
import { actionLife, requireByHand } from './rules.ts';
import { changePlan, lockPlan, planPage } from './table.ts';

const DAY_MS = 86_400_000;

type AutomationHandlers = Pick<
  Handlers,
  'listAutomationActions' | 'executeAutomationAction' | 'deleteAutomationAction'
>;

/** Returns the handlers of automation actions. @param ports senders of messages and reviews */
export function automationHandlers(ports: AutomationPorts): AutomationHandlers {
  return {
    listAutomationActions,
    async executeAutomationAction(input, context) {
      await context.change(async (change) => {
        const plan = await requirePlan(change, context, input.plan_id);
        await executePlan(change, plan, ports);
      });
    },
    deleteAutomationAction,
  };
}

const listAutomationActions: Handler<'listAutomationActions'> = async (input, context) => {
  const { db, account } = context;
  const zone = account.time_zone;
  const from = input.start_time === undefined ? undefined : requireInstant('start_time', input.start_time, zone);
  const to = input.end_time === undefined ? undefined : requireEnd(input.end_time, zone);
  if (from !== undefined && to !== undefined && from > to) throw invalid('start_time', 'must not be after end_time');
  const page = pageOf('listAutomationActions', 'string', input, context);
  const horizon = horizonOf(page.asOf);
  const found = await planPage(db, {
    accountId: account.account_id,
    type: input.type,
    keyword: input.keyword,
    stayCode: input.stay_code,
    propertyIds: input.property_ids?.split(',').map(Number),
    channelTypes: input.channel_types?.split(','),
    event: input.rule_event,
    from,
    until: to !== undefined && to < horizon ? to : horizon,
    order: page.byCursor ? 'id' : 'next',
    ...page.range,
  });
  const { rows, next } = closePage(page, found, (row) => row.plan_id);
  return { actions: rows.map((row) => presentPlan(row, zone)), total: found.total, ...next };
};

const deleteAutomationAction: Handler<'deleteAutomationAction'> = async (input, context) => {
  await context.change(async (change) => {
    const plan = await requirePlan(change, context, input.plan_id);
    const state = requireMove(actionLife, plan.state, 'delete');
    // The row stays, so that the rule does not plan this action again.
    await changePlan(change.trx, plan, { state, ended_at: instantOf(change.now) });
    change.audit('deleteAutomationAction', plan.plan_id);
  });
};

/**
 * Returns the plan with the id of a path. @throws ApiError 403 or 404 when the caller has no such plan, 400 for a plan
 * that is only shown
 */
async function requirePlan(
  { trx, account, now }: Change,
  principal: Pick<Principal, 'visible'>,
  planId: string,
): Promise<AutomationPlanRow> {
  const plan = await lockPlan(trx, planId);
  refuseForeign(plan, account, 'plan_id');
  const isGone = !plan || plan.state === 'removed' || (plan.state === 'waiting' && plan.scheduled_at > horizonOf(now));
  if (isGone || !maySee(principal, plan.property_id)) {
    throw new ApiError(404, 'plan_id not found.', { field: 'plan_id' });
  }
  requireByHand(plan.type);
  return plan;
}

function horizonOf(now: number): Instant {
  return instantOf(now + AUTOMATION_DAYS * DAY_MS);
}

function requireInstant(field: string, text: string, zone: string): Instant {
  const instant = readInstant(text, zone);
  if (instant === undefined) throw invalid(field, 'must be an ISO 8601 date and time');
  return instant;
}

/** Returns the last moment of the range; for a date, the end of the day. */
function requireEnd(text: string, zone: string): Instant {
  const day = text.trim();
  if (!isPlainDate(day)) return requireInstant('end_time', text, zone);
  return endOfDay(day, zone);
}
