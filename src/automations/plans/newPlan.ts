import { instantOf } from '../../kernel/dates.ts';
import { next } from '../../kernel/transitions.ts';
import type { Automating } from '../context.ts';
import type { LoadedRule } from '../rules/ruleBook.ts';
import { planLife } from './states.ts';
import type { Plan } from './table.ts';

/** The subject and the times of a plan. Absent parts do not apply. */
type Subject = Pick<Plan, 'subject' | 'occurrence' | 'basis' | 'due_at' | 'send_at' | 'not_after'> &
  Partial<Pick<Plan, 'stay_code' | 'reservation_code' | 'conversation_id' | 'message_id'>>;

/** Returns a new plan in its first state. */
export function newPlan(
  { connection, ids, clock }: Pick<Automating, 'connection' | 'ids' | 'clock'>,
  rule: LoadedRule,
  subject: Subject,
): Plan {
  const now = instantOf(clock.now());
  return {
    connection,
    plan_id: ids(),
    rule: rule.name,
    version: rule.version,
    action: rule.do.name,
    stay_code: null,
    reservation_code: null,
    conversation_id: null,
    message_id: null,
    ...subject,
    next_at: subject.send_at,
    state: next(planLife, null, 'plan'),
    reason: null,
    detail: null,
    approved: 0,
    undo: 0,
    result: null,
    attempts: 0,
    claimed_by: null,
    claimed_until: null,
    created_at: now,
    changed_at: now,
  };
}
