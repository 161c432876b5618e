import type { AutomationPlansTable } from '../tables.ts';
import type { Rule } from './rule.ts';

/** Separates the occurrence of a plan from the part of its rule. */
const MARK = ' + ';
/** Actions that count as the same part, so a draft can become a message and the reverse. */
const SPEECH: ReadonlySet<string> = new Set(['message', 'draft', 'ai_draft']);

type Named = Pick<AutomationPlansTable, 'occurrence' | 'action'>;

/**
 * Returns one rule for each action of a rule. Each part has a plan of its own, so a failed or waiting action does not
 * stop the others, and a finished one is not repeated. A part is identified by its action and not by its place, so a
 * list can be reordered or extended.
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

/** Returns the part of a rule to which a plan belongs, or undefined if the rule no longer has it. */
export function partFor<R extends Rule>(rule: R, plan: Named): R | undefined {
  const [, part] = plan.occurrence.split(MARK);
  if (rule.actions.length === 1) return part === undefined || part === kindOf(rule.do.name) ? rule : undefined;
  const wanted = part ?? kindOf(plan.action);
  return partsOf(rule).find((one) => one.part === wanted);
}

/** Returns the occurrence for the plan of a part. A rule with one action uses the occurrence alone. */
export function occurrenceFor({ part }: Pick<Rule, 'part'>, occurrence: string): string {
  return part === null ? occurrence : `${occurrence}${MARK}${part}`;
}

/** Returns the occurrence of a plan without its part. */
export function occurrenceIn({ occurrence }: Named): string {
  return occurrence.split(MARK)[0] ?? occurrence;
}

function kindOf(action: string): string {
  return SPEECH.has(action) ? 'message' : action;
}
