import { addDays, dateIn, msOf } from '../../kernel/dates.ts';
import { renderTemplate } from '../../kernel/markup/templates.ts';
import type { NoticeReport } from '../context.ts';
import { Stopped } from '../perform/stopped.ts';
import type { ActionOf } from '../rules/actions.ts';
import type { Action } from './action.ts';

/** Tells people: by mail, chat or push, as their places say. Each place is told once for a plan. */
export const notify: Action<'notify'> = {
  isRepeatable: () => true,
  speaks: false,
  outline: ({ to, text, report }) =>
    `${to.join(', ')}: ${text}${report ? ` (with the report ${report.name} of ${report.month} month)` : ''}`,
  prepare({ context, plan, rule, spec, scope }) {
    const text = renderTemplate(spec.text, scope);
    return {
      text,
      async run(guard) {
        await guard.beforeSend?.();
        const { to, title = null } = spec;
        const report = reportOf(spec, dateIn(context.zone(), msOf(plan.due_at)));
        const problem = await context.notify({ id: plan.plan_id, to, rule: rule.name, title, text, report });
        if (problem !== undefined) throw new Stopped('failed', 'refused', { detail: problem });
      },
    };
  },
};

/** Returns the report with its month, counted from the day when the rule was due. */
function reportOf({ report }: ActionOf<'notify'>['with'], day: string): NoticeReport | null {
  if (!report) return null;
  const { name, owner, month } = report;
  const within = month === 'this' ? day : addDays(`${day.slice(0, 7)}-01`, -1);
  return { name, month: within.slice(0, 7), ...(owner !== undefined && { owner }) };
}
