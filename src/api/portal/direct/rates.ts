import { z } from 'zod';
import { type PlanKeeper, plansFor, removePlan, requirePlan, setPlan } from '../../../channels/direct/plans/manage.ts';
import { mistakesText, readPlanFile, readPlanValue, type ReadPlan } from '../../../channels/direct/plans/planFile.ts';
import { presentPlan } from '../../../channels/direct/plans/present.ts';
import { askQuote } from '../../../channels/direct/quotes/ask.ts';
import { presentQuote } from '../../../channels/direct/quotes/present.ts';
import { date, id } from '../../../contract/fields.ts';
import { requireProperty } from '../../../core/ownership.ts';
import { ApiError, invalid } from '../../../kernel/errors.ts';
import type { Caller } from '../../access.ts';
import { type PortalServices, portalRoute } from '../route.ts';
import { accountOf, operatorOf, visibleTo } from '../who.ts';

/** Bytes of a plan's text: far above a plan with everything. */
const LONGEST_TEXT = 100_000;

const account = z.string().min(1).optional();
const property = id('Whose plan it is.');
const seen = z.strictObject({ id: z.int(), version: z.int() }).nullable().optional();

/** Rate plans of properties for bookings without a channel, and the price of a stay by them. */
export const rateRoutes = [
  portalRoute({
    method: 'GET',
    path: '/portal/rate_plans',
    access: 'read',
    input: z.object({ account }),
    run: async ({ services, caller, input }) => {
      const who = await keeperOf(services, caller, input.account);
      const plans = await plansFor(services.core, who);
      return { rate_plans: plans.map((plan) => presentPlan(plan, who.account.time_zone)) };
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/rate_plans/:property_id',
    access: 'read',
    input: z.object({ account, property_id: z.coerce.number().int().positive() }),
    run: async ({ services, caller, input }) => {
      const who = await keeperOf(services, caller, input.account);
      return presentPlan(await requirePlan(services.core, who, input.property_id), who.account.time_zone);
    },
  }),
  portalRoute({
    method: 'PUT',
    path: '/portal/rate_plans',
    access: 'write',
    input: z.object({
      account,
      property_ids: z.array(property).min(1).max(1_000).optional(),
      plan: z.record(z.string(), z.unknown()).optional(),
      text: z.string().max(LONGEST_TEXT).optional(),
      seen,
    }),
    run: async ({ services, caller, input }) => {
      const who = await keeperOf(services, caller, input.account);
      const plan = await inOwnCurrency(services, who, input);
      const { written, properties: named } = planIn({ ...input, plan });
      const properties = input.property_ids ?? named;
      if (!properties) throw invalid('property_ids', 'is required, unless the plan has properties');
      const set = await setPlan(services.core, who, { properties, written, seen: input.seen });
      return presentPlan(set, who.account.time_zone);
    },
  }),
  portalRoute({
    method: 'DELETE',
    path: '/portal/rate_plans/:property_id',
    access: 'write',
    input: z.object({ account, property_id: property }),
    run: async ({ services, caller, input }) => {
      await removePlan(services.core, await keeperOf(services, caller, input.account), input.property_id);
      return { property_id: input.property_id };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/rate_plans/quote',
    access: 'read',
    input: z.object({
      account,
      property_id: property,
      check_in_date: date,
      check_out_date: date,
      adults: z.int().min(1).max(99).default(1),
      children: z.array(z.int().min(0).max(17)).max(99).default([]),
      pets: z.int().min(0).max(99).default(0),
      optional_fees: z.array(z.string().max(60)).max(20).default([]),
      booked_on: date.optional(),
    }),
    run: async ({ services, caller, input: { account: named, ...asked } }) => {
      const who = await keeperOf(services, caller, named);
      const { plan, booked_on, answer } = await askQuote(services.core, who, asked);
      const by = { plan: { id: plan.id, version: plan.version, name: plan.written.name }, booked_on };
      return 'quote' in answer
        ? { ...by, quote: presentQuote(answer.quote), refused: [] }
        : { ...by, quote: null, refused: answer.refused };
    },
  }),
];

/** Returns a plan that names no currency with that of its first property. */
async function inOwnCurrency(
  { core }: PortalServices,
  who: PlanKeeper,
  { plan, property_ids: [first] = [] }: { plan?: object | undefined; property_ids?: number[] | undefined },
): Promise<object | undefined> {
  if (plan === undefined || 'currency' in plan || first === undefined) return plan;
  const { currency } = await requireProperty(core.store.db, who.account, who, first);
  return { ...plan, currency };
}

/** Reads the plan of a request, however it came. @throws ApiError 422 with all of its mistakes */
function planIn({ plan, text }: { plan?: object | undefined; text?: string | undefined }): ReadPlan {
  if ((plan === undefined) === (text === undefined)) throw invalid('plan', 'or text is required, and not both');
  const read = text === undefined ? readPlanValue(plan) : readPlanFile(text);
  if ('written' in read) return read;
  const field = text === undefined ? 'plan' : 'text';
  throw new ApiError(422, mistakesText(read.mistakes), { field });
}

/** Returns who asks, with the properties that they see. */
async function keeperOf(services: PortalServices, caller: Caller, named: string | undefined): Promise<PlanKeeper> {
  const account = await accountOf(services, caller, named);
  return { account, operator: operatorOf(caller), visible: visibleTo(caller) };
}
