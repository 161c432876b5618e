import type { AutomationPlansTable } from '../tables.ts';
import type { Rule } from './rule.ts';

/** Stands between what a plan is for and the part of its rule. */
const MARK = ' + ';
/** A draft that has become a message, or the other way round, is the same part of its rule. */
const SPEECH: ReadonlySet<string> = new Set(['message', 'draft', 'ai_draft']);

type Named = Pick<AutomationPlansTable, 'occurrence' | 'action'>;

/**
 * A rule as many times as it has actions, each time with one of them. Each has a plan of its own, so that what has failed
 * or waits keeps nothing else back, and what is done is not done again. Parts go by what they do, not by their place: a
 * list can be put in another order, or get another action.
 */
export function partsOf<R extends Rule>(rule: R): R[] {
  if (rule.actions.length === 1) return [rule];
  const counts = new Map<string, number>();
  return rule.actions.map((action) => {
    const kind = kindOf(action.name);
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return { ...rule, do: action, part: count === 1 ? kind : `${kind} ${count}` };
  });
}

/** The part of a rule that a plan is of; undefined: the rule does it no more. */
export function partFor<R extends Rule>(rule: R, plan: Named): R | undefined {
  const [, part] = plan.occurrence.split(MARK);
  if (rule.actions.length === 1) return part === undefined || part === kindOf(rule.do.name) ? rule : undefined;
  const wanted = part ?? kindOf(plan.action);
  return partsOf(rule).find((one) => one.part === wanted);
}

/** What tells the plan of a part from those of the others; a rule with one action goes by the occurrence alone. */
export function occurrenceFor({ part }: Pick<Rule, 'part'>, occurrence: string): string {
  return part === null ? occurrence : `${occurrence}${MARK}${part}`;
}

/** What a plan is for, whichever part of its rule it is of. */
export function occurrenceIn({ occurrence }: Named): string {
  return occurrence.split(MARK)[0] ?? occurrence;
}

function kindOf(action: string): string {
  return SPEECH.has(action) ? 'message' : action;
}
