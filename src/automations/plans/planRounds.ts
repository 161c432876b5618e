import { instantOf, msOf } from '../../kernel/dates.ts';
import type { Automating } from '../context.ts';
import type { LoadedRule } from '../rules/ruleBook.ts';
import { armedRules } from '../rules/takeOver.ts';
import type { EveryTrigger } from '../rules/trigger.ts';
import { lastRound } from '../times.ts';
import { insertPlans, type Plan } from './table.ts';
import { notAfterMs } from './wanted.ts';

/** Plans the newest round of each rule that comes round again and again, once. */
export async function planRounds(context: Automating): Promise<void> {
  const now = instantOf(context.clock.now());
  if (!context.book.rules.some(({ when }) => when.kind === 'every')) return;
  const rules = await armedRules(context.store.db, context);
  const plans = rules.flatMap((rule) => {
    if (rule.when.kind !== 'every' || rule.state === 'draft') return [];
    const plan = roundOf(context, rule, rule.when, now);
    return plan ? [plan] : [];
  });
  if (plans.length > 0) await context.store.transaction((trx) => insertPlans(trx, plans));
}

function roundOf(context: Automating, rule: LoadedRule, when: EveryTrigger, now: string): Plan | undefined {
  const round = lastRound(when, now, context.zone());
  if (!round || round.at <= rule.armed_at) return undefined;
  return {
    connection: context.connection,
    plan_id: context.ids(),
    rule: rule.name,
    version: rule.version,
    subject: 'every',
    occurrence: round.date,
    action: rule.do.name,
    stay_code: null,
    reservation_code: null,
    conversation_id: null,
    message_id: null,
    basis: JSON.stringify({ date: round.date }),
    due_at: round.at,
    send_at: round.at,
    not_after: instantOf(msOf(round.at) + notAfterMs(rule)),
    next_at: round.at,
    state: 'planned',
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
