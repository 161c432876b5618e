import { instantOf } from '../../kernel/dates.ts';
import type { MirrorTrx } from '../../sync/tables/database.ts';
import type { Automating } from '../context.ts';
import { dropDraft, movePlan, type Plan, writeLog } from '../plans/table.ts';
import { partFor } from '../rules/parts.ts';

/** Ends plans that await approval about earlier messages of the guest, because the newer draft answers all of them. */
export async function supersede(trx: MirrorTrx, context: Automating, plan: Plan): Promise<void> {
  const { connection, conversation_id, rule, created_at, plan_id } = plan;
  if (conversation_id === null) return;
  const older = await trx
    .selectFrom('automation_plans')
    .selectAll()
    .where('connection', '=', connection)
    .where('conversation_id', '=', conversation_id)
    .where('rule', '=', rule)
    .where('state', '=', 'awaiting_approval')
    .where('created_at', '<=', created_at)
    .where('plan_id', '!=', plan_id)
    .execute();
  const changed_at = instantOf(context.clock.now());
  const whole = context.book.rule(rule);
  const partOf = (one: Plan) => whole && partFor(whole, one)?.part;
  for (const one of older) {
    // Plans of the rule's other actions still wait.
    if (partOf(one) !== partOf(plan)) continue;
    const change = { reason: 'superseded', detail: null, changed_at };
    if (!(await movePlan(trx, one, 'supersede', change))) continue;
    await dropDraft(trx, one);
    await writeLog(trx, context, [{ rule, what: 'skipped', plan: one, reason: 'superseded' }]);
  }
}
