import { instantOf, instantWithin, msOf } from '../../kernel/dates.ts';
import type { Automating } from '../context.ts';
import type { LoadedRule } from '../rules/ruleBook.ts';
import { occurrenceFor, partsOf } from '../rules/parts.ts';
import { armedRules } from '../rules/syncRules.ts';
import type { EveryTrigger } from '../rules/trigger.ts';
import { lastRound } from '../times.ts';
import { newPlan } from './newPlan.ts';
import { insertPlans, type Plan } from './table.ts';
import { notAfterMs } from './wanted.ts';

/** Plans the newest round of each recurring rule, once. */
export async function planRounds(context: Automating): Promise<void> {
  const now = instantOf(context.clock.now());
  if (!context.book.rules.some(({ when }) => when.kind === 'every') || !context.timekeeper.seemsRight()) return;
  const rules = await armedRules(context.store.db, context);
  const plans = rules.flatMap(partsOf).flatMap((rule) => {
    if (rule.when.kind !== 'every' || rule.state === 'draft') return [];
    const plan = roundOf(context, rule, rule.when, now);
    return plan ? [plan] : [];
  });
  if (plans.length > 0) await context.store.transaction((trx) => insertPlans(trx, plans));
}

function roundOf(context: Automating, rule: LoadedRule, when: EveryTrigger, now: string): Plan | undefined {
  const round = lastRound(when, now, context.zone());
  if (!round || round.at <= rule.armed_at) return undefined;
  return newPlan(context, rule, {
    subject: 'every',
    occurrence: occurrenceFor(rule, round.date),
    basis: JSON.stringify({ date: round.date }),
    due_at: round.at,
    send_at: round.at,
    not_after: instantWithin(msOf(round.at) + notAfterMs(rule)),
  });
}
