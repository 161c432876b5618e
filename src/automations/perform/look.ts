import { instantOf, msOf } from '../../kernel/dates.ts';
import { messageOf } from '../../kernel/errors.ts';
import { actions } from '../actions/all.ts';
import type { ActionName } from '../rules/actions.ts';
import type { Automating } from '../context.ts';
import { movePlan, type Plan, writeLog } from '../plans/table.ts';
import { endSend, newestSend } from './ledger.ts';
import { settleSent } from './settle.ts';

/** Milliseconds after which a message must show. It may lag behind its call until then. */
const GIVE_UP_MS = 2 * 60_000;
const AGAIN_MS = 15_000;

/**
 * Looks for the effect of a call without a known outcome. If it is found, the plan was sent; otherwise a person
 * decides. Never sends again.
 */
export async function lookFor(context: Automating, plan: Plan): Promise<void> {
  const { clock, store, log, connection } = context;
  const send = await newestSend(context, plan);
  const isOver = send === undefined || clock.now() - msOf(send.started_at) >= GIVE_UP_MS;
  let trouble: string | null = null;
  try {
    const found = await actions[plan.action as ActionName].find?.(context, plan);
    if (found) return await settleSent(context, plan, found, 'found');
  } catch (error) {
    if (context.signal.aborted) return;
    // Upstream cannot tell yet; the question is repeated without a limit.
    trouble = messageOf(error);
  }
  const now = instantOf(clock.now());
  const isUnknown = isOver && trouble === null;
  await store.transaction(async (trx) => {
    const reason = isUnknown ? 'uncertain' : trouble === null ? plan.reason : 'upstream';
    const change = {
      reason,
      next_at: instantOf(clock.now() + AGAIN_MS),
      claimed_by: null,
      claimed_until: null,
      changed_at: now,
    };
    if (!(await movePlan(trx, plan, isUnknown ? 'stop_looking' : 'look_again', change)) || !isUnknown) return;
    await endSend(trx, context, plan, 'doubt', send?.problem ?? null);
    await writeLog(trx, context, [{ rule: plan.rule, what: 'unknown', plan, reason: 'uncertain' }]);
  });
  if (isUnknown) {
    const what = { connection, rule: plan.rule, plan: plan.plan_id, stay: plan.stay_code };
    log.error(what, 'nobody knows whether this went out: look into the conversation, then approve or cancel it');
  }
}
