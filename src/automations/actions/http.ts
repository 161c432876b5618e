import { instantOf } from '../../kernel/dates.ts';
import { Stopped } from '../perform/stopped.ts';
import type { Json } from '../rules/actions.ts';
import { renderTemplate, type Scope } from '../../kernel/markup/templates.ts';
import type { Action } from './action.ts';

/** Milliseconds to wait after each attempt. The id stays the same, so a receiver recognises repeats. */
const WAITS_MS = [5_000, 60_000, 5 * 60_000, 30 * 60_000, 2 * 60 * 60_000];

/** Posts a signed body to a configured address. */
export const http: Action<'http'> = {
  isRepeatable: () => true,
  speaks: false,
  prepare({ context, plan, rule, spec, scope }) {
    const hook = context.settings.hooks[spec.to];
    if (!hook) throw new Stopped('failed', 'refused', { detail: `automations.hooks has no ${spec.to}` });
    const data = filled(spec.body, scope);
    return {
      text: JSON.stringify(data),
      async run(guard) {
        await guard.beforeSend?.();
        const at = instantOf(context.clock.now());
        const body = JSON.stringify({ type: `automation.${rule.name}`, timestamp: at, id: plan.plan_id, data });
        const { outcome, detail } = await context.post(hook, plan.plan_id, body);
        if (outcome === 'delivered') return;
        const waitMs = WAITS_MS[Math.min(plan.attempts, WAITS_MS.length - 1)] ?? 0;
        const jitter = Math.ceil(waitMs * 0.2 * context.random.fraction());
        throw new Stopped('waiting', 'upstream', { detail, waitMs: waitMs + jitter });
      },
    };
  },
};

/** Returns the body with all its templates rendered. */
function filled(value: Json, scope: Scope): Json {
  if (typeof value === 'string') return value.trim() === '' ? value : renderTemplate(value, scope);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => filled(one, scope));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, scope)]));
}
