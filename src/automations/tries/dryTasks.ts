import { dateIn, type Instant, instantOf, msOf } from '../../kernel/dates.ts';
import type { Automating } from '../context.ts';
import type { DryRow } from './dryRow.ts';
import { type Facts, noFacts } from '../facts/facts.ts';
import { staysByCode } from '../facts/mirrorFacts.ts';
import { guestFacts } from '../facts/mirrorScope.ts';
import { arrivesSameDay } from '../perform/actionContext.ts';
import { isTaskRule, tasksDue } from '../plans/planTasks.ts';
import { reasonText } from '../reasons.ts';
import { failingCondition } from '../rules/conditions.ts';
import type { LoadedRule } from '../rules/ruleBook.ts';

/**
 * Tries rules on tasks that are still open since a moment. Completed tasks are left out, because the time of their
 * completion is unknown.
 */
export async function overTasks(
  context: Automating,
  rules: readonly LoadedRule[],
  since: Instant,
  add: (row: DryRow) => void,
): Promise<void> {
  const now = instantOf(context.clock.now());
  for (const rule of rules.filter(isTaskRule)) {
    for (const { task, stay_code, property, at } of await tasksDue(context, rule.when, since.slice(0, 10))) {
      if (at < since || at > now) continue;
      const [mirrored] = stay_code === null ? [] : await staysByCode(context.store.db, context, [stay_code]);
      const stay = mirrored?.stay ?? null;
      const facts: Facts = {
        ...noFacts,
        channel_type: stay?.channel_type ?? null,
        stay,
        property: property ?? mirrored?.property ?? null,
        task,
        arrivesSameDay: stay !== null && (await arrivesSameDay(context, { stay })),
        ...(await guestFacts(context, rule.if, stay, dateIn(property?.zone ?? context.zone(), msOf(at)))),
      };
      const failing = failingCondition(rule.if, facts);
      const row = { rule: rule.name, about: `task ${task.id}`, at, text: null };
      add(
        failing === undefined
          ? { ...row, would: 'act', because: rule.do.name }
          : { ...row, would: 'not act', because: reasonText('condition', failing) },
      );
    }
  }
}
