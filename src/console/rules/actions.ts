import { z } from 'zod';
import { MESSAGE_LENGTH } from '../../contract/conversations.ts';
import { type ConsoleAction, consoleAction, type Done } from '../page.ts';
import type { Visit } from '../visit.ts';

const LONGEST_FILE = 200_000;
const rule = z.string().min(1).max(100);
const decided = { plan: z.string(), state: z.string() };

/** Makes an action of the owner on the rules; nothing of it changes the mirror. */
function change<Schema extends z.ZodObject>(
  name: string,
  fields: Schema,
  run: (visit: Visit, given: z.output<Schema>) => Promise<Done>,
): ConsoleAction {
  return consoleAction({ name, right: 'rules.change', isQuiet: true, fields, run });
}

/** Everything that an owner can do with rules. */
export const rulesActions: readonly ConsoleAction[] = [
  change('pause', z.object({ rule }), async (visit, given) => {
    await visit.portal('POST /portal/automations/rules/:rule/pause', given);
    return { said: visit.texts.rules.wasPaused(given.rule) };
  }),
  change('resume', z.object({ rule }), async (visit, given) => {
    await visit.portal('POST /portal/automations/rules/:rule/resume', given);
    return { said: visit.texts.rules.wasResumed(given.rule) };
  }),
  change('disarm', z.object({}), async (visit) => {
    await visit.portal('POST /portal/automations/disarm');
    return { said: visit.texts.rules.wereDisarmed };
  }),
  change('arm', z.object({}), async (visit) => {
    await visit.portal('POST /portal/automations/arm');
    return { said: visit.texts.rules.wereArmed };
  }),
  change(
    'approve',
    z.object({ ...decided, text: z.string().trim().min(1).max(MESSAGE_LENGTH).optional() }),
    async (visit, { plan, state, text }) => {
      const operation = 'POST /portal/automations/plans/:plan_id/approve';
      await visit.portal(operation, { plan_id: plan, state, ...(text !== undefined && { text }) });
      return { said: visit.texts.rules.wasApproved };
    },
  ),
  change('cancel', z.object(decided), async (visit, { plan, state }) => {
    await visit.portal('POST /portal/automations/plans/:plan_id/cancel', { plan_id: plan, state });
    return { said: visit.texts.rules.wasCancelled };
  }),
  change(
    'write',
    z.object({
      file: z.string().trim().min(1).max(200),
      version: z.string().optional(),
      text: z.string().max(LONGEST_FILE),
    }),
    async (visit, { file, version = null, text }) => {
      // Browsers end lines as mail does; files do not.
      const lines = text.replaceAll('\r\n', '\n');
      await visit.portal('PUT /portal/automations/files/:file', { file, version, text: lines });
      return { said: visit.texts.rules.wasWritten(file), to: visit.address('rules', { file }) };
    },
  ),
  change(
    'recipe',
    z.object({ recipe: rule, state: z.enum(['draft', 'test', 'live']) }),
    async (visit, { recipe, state }) => {
      await visit.portal('POST /portal/automations/recipes/:rule', { rule: recipe, state });
      const said = visit.texts.rules.wasAdded(recipe, visit.texts.rules.states[state]);
      return { said, to: visit.address('rules', { rule: recipe }) };
    },
  ),
];
