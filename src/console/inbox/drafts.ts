import { z } from 'zod';
import type { Visit } from '../visit.ts';

const plan = z.object({
  plan_id: z.string(),
  rule: z.string(),
  action: z.string(),
  state: z.string(),
  reason: z.string().nullable(),
  because: z.string().nullable(),
  approved: z.boolean(),
  due_at: z.string(),
  next_at: z.string(),
  not_after: z.string(),
  stay_code: z.string().nullable(),
  conversation_id: z.string().nullable(),
  text: z.string().nullable(),
  sources: z.array(z.looseObject({ title: z.string().optional(), text: z.string().optional() })).nullable(),
});

/** Something that a rule is about to do, or that a person must decide. */
export type Plan = z.output<typeof plan>;

/** The states in which a person decides about a plan. */
export const DECIDABLE: ReadonlySet<string> = new Set(['awaiting_approval', 'unknown', 'failed']);

const MOST_PLANS = 200;

/** Asks for the plans that wait, soonest first; of one conversation, or of one rule, if it is named. */
export async function readPlans(
  visit: Visit,
  about: { conversation_id?: string | undefined; rule?: string | undefined } = {},
): Promise<Plan[]> {
  const given = Object.fromEntries(Object.entries(about).filter(([, value]) => value !== undefined));
  const answer = await visit.portal('GET /portal/automations/pending', { ...given, limit: MOST_PLANS });
  return z.object({ plans: z.array(plan) }).parse(answer).plans;
}
