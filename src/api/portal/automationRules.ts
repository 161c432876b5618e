import { z } from 'zod';
import { ruleEvents } from '../../contract/automationActions.ts';
import { createRule, deleteRule, listRules, updateRule } from '../../core/automation/manageRules.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Caller } from '../access.ts';
import { type PortalServices, portalRoute } from './route.ts';
import { accountOf, isMain, operatorOf } from './who.ts';

const account = z.string().optional();
const MOST_HOURS = 720;

const fields = {
  name: z.string().trim().min(1).max(100),
  event: z.enum(ruleEvents).describe('What the hours are counted from.'),
  hours: z.int().min(-MOST_HOURS).max(MOST_HOURS).describe('After the event; negative: before.'),
  property_ids: z.array(z.int()).min(1).max(1_000).nullable().describe('null: all.'),
  channel_types: z.array(z.string().min(1).max(50)).min(1).max(100).nullable().describe('null: all.'),
  action: z.record(z.string(), z.unknown()).describe('What is done, as the type has it.'),
  is_enabled: z.boolean(),
};

/** Rules that plan messages, reviews and tasks for every stay. */
export const automationRuleRoutes = [
  portalRoute({
    method: 'GET',
    path: '/portal/automation_rules',
    access: 'read',
    input: z.object({ account }),
    run: async ({ services, caller, input }) => {
      const owner = await accountOf(services, caller, input.account);
      return { automation_rules: await listRules(services.core.store.db, owner) };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/automation_rules',
    access: 'write',
    input: z.object({
      account,
      ...fields,
      type: z.enum(['message', 'review', 'task']),
      property_ids: fields.property_ids.default(null),
      channel_types: fields.channel_types.default(null),
      is_enabled: fields.is_enabled.default(true),
    }),
    run: async ({ services, caller, input }) => {
      const { account: name, ...rule } = input;
      const who = await masterOf(services, caller, name);
      return { id: await createRule(services.core, who, rule) };
    },
  }),
  portalRoute({
    method: 'PATCH',
    path: '/portal/automation_rules/:id',
    access: 'write',
    input: z.object({ account, id: z.int(), ...z.object(fields).partial().shape }),
    run: async ({ services, caller, input }) => {
      const { account: name, id, ...changes } = input;
      const who = await masterOf(services, caller, name);
      await updateRule(services.core, who, id, changes);
      return { updated: id };
    },
  }),
  portalRoute({
    method: 'DELETE',
    path: '/portal/automation_rules/:id',
    access: 'write',
    input: z.object({ account, id: z.int() }),
    run: async ({ services, caller, input }) => {
      const who = await masterOf(services, caller, input.account);
      await deleteRule(services.core, who, input.id);
      return { deleted: input.id };
    },
  }),
];

/** Requires a main account, because these rules concern the whole account. */
async function masterOf(services: PortalServices, caller: Caller, name: string | undefined) {
  const owner = await accountOf(services, caller, name);
  if (!isMain(caller)) throw new ApiError(401, 'Only the main account makes rules.');
  return { account: owner, operator: operatorOf(caller) };
}
