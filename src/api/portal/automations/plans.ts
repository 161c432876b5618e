import { z } from 'zod';
import type { AuditEntry } from '../../../core/audit/entry.ts';
import { recordedRoute } from '../recorded.ts';
import { type PortalCall, portalRoute } from '../route.ts';
import { connectionOf } from '../who.ts';

const connection = z.string().optional();
const chosen = z.object({ connection });
const ofPlan = z.object({ connection, plan_id: z.string().min(1) });
const seen = z.string().optional().describe('State in which the caller saw it; refused if it has another one by now.');
const ofRule = z.object({ connection, rule: z.string().min(1) });
const limit = z.int().min(1).max(1_000).default(50);

/** The automations of a mirrored account. */
export const automationRoutes = [
  portalRoute({
    method: 'GET',
    path: '/portal/automations',
    access: 'read',
    input: chosen,
    run: async (call) => call.services.mirror.automations.list(await one(call)),
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/automations/pending',
    access: 'read',
    input: z.object({ connection, rule: z.string().optional(), conversation_id: z.string().optional(), limit }),
    run: async (call) => ({ plans: await call.services.mirror.automations.pending(await one(call), call.input) }),
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/automations/test',
    access: 'read',
    input: z.object({ connection, rule: z.string().optional(), since: z.string(), limit }),
    run: async (call) => call.services.mirror.automations.test(await one(call), call.input),
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/automations/test',
    access: 'write',
    input: z.object({
      connection,
      rule: z.string().optional(),
      since: z.string(),
      limit,
      ask: z.boolean().default(false),
    }),
    run: async (call) => call.services.mirror.automations.test(await one(call), call.input),
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/automations/log',
    access: 'read',
    input: z.object({
      connection,
      rule: z.string().optional(),
      plan: z.string().optional(),
      what: z.string().optional(),
      limit,
    }),
    run: async (call) => ({ entries: await call.services.mirror.automations.log(await one(call), call.input) }),
  }),
  recordedRoute(
    {
      method: 'POST',
      path: '/portal/automations/plans/:plan_id/approve',
      access: 'write',
      input: ofPlan.extend({ text: z.string().max(20_000).optional(), state: seen }),
      run: async (call) => {
        const { plan_id, text, state } = call.input;
        return call.services.mirror.automations.approve(await one(call), plan_id, { text, state });
      },
    },
    ({ plan_id, text }) => ({
      action: 'approve plan',
      subject: `plan:${plan_id}`,
      values: { after: { edited: text !== undefined } },
    }),
  ),
  recordedRoute(
    {
      method: 'POST',
      path: '/portal/automations/plans/:plan_id/cancel',
      access: 'write',
      input: ofPlan.extend({ state: seen }),
      run: async (call) => {
        const { plan_id, state } = call.input;
        return call.services.mirror.automations.cancel(await one(call), plan_id, { state });
      },
    },
    ({ plan_id }) => ({ action: 'cancel plan', subject: `plan:${plan_id}` }),
  ),
  recordedRoute(
    {
      method: 'POST',
      path: '/portal/automations/rules/:rule/pause',
      access: 'write',
      input: ofRule,
      run: async (call) => ({
        paused: true,
        was_going_on: await call.services.mirror.automations.pause(await one(call), call.input.rule),
      }),
    },
    ({ rule }, answer) => turned(answer, 'was_going_on', { action: 'pause rule', subject: `rule:${rule}` }),
  ),
  recordedRoute(
    {
      method: 'POST',
      path: '/portal/automations/rules/:rule/resume',
      access: 'write',
      input: ofRule,
      run: async (call) => ({
        paused: false,
        was_paused: await call.services.mirror.automations.resume(await one(call), call.input.rule),
      }),
    },
    ({ rule }, answer) => turned(answer, 'was_paused', { action: 'resume rule', subject: `rule:${rule}` }),
  ),
  recordedRoute(
    {
      method: 'POST',
      path: '/portal/automations/disarm',
      access: 'write',
      input: chosen,
      run: async (call) => ({
        armed: false,
        were_armed: await call.services.mirror.automations.disarm(await one(call)),
      }),
    },
    (_input, answer) => turned(answer, 'were_armed', { action: 'disarm rules', subject: 'rules' }),
  ),
  recordedRoute(
    {
      method: 'POST',
      path: '/portal/automations/arm',
      access: 'write',
      input: chosen,
      run: async (call) => ({
        armed: true,
        were_disarmed: await call.services.mirror.automations.arm(await one(call)),
      }),
    },
    (_input, answer) => turned(answer, 'were_disarmed', { action: 'arm rules', subject: 'rules' }),
  ),
];

/** What already was so is no change. */
function turned(answer: unknown, field: string, entry: AuditEntry): AuditEntry | undefined {
  return Reflect.get(Object(answer), field) === true ? entry : undefined;
}

function one({ services, caller, input }: PortalCall<{ connection?: string | undefined }>) {
  return connectionOf(services, caller, input.connection);
}
