import { z } from 'zod';
import type { AuditEntry } from '../../../core/audit/entry.ts';
import { ApiError } from '../../../kernel/errors.ts';
import { recordedRoute } from '../recorded.ts';
import { type PortalCall, portalRoute, type ShownRuleFile } from '../route.ts';
import { ownsService, requireMain } from '../who.ts';

const LONGEST = 200_000;

const account = z.string().optional();
const file = z.string().min(1).max(200);
const text = z.string().max(LONGEST);
const connection = z.string().optional().describe('Not read: the files are those of all connections.');

/** The files of rules, and recipes for new ones. */
export const automationFileRoutes = [
  portalRoute({
    method: 'GET',
    path: '/portal/automations/files',
    access: 'read',
    input: z.object({ connection }),
    run: async (call) => {
      await requireAll(call);
      return { files: call.services.mirror.ruleFiles.list() };
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/automations/recipes',
    access: 'read',
    input: z.object({ connection }),
    run: async (call) => {
      requireMain(call.caller);
      return { recipes: call.services.mirror.ruleFiles.recipes() };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/automations/files/:file/check',
    access: 'read',
    input: z.object({ connection, file, text }),
    run: async (call) => {
      await requireAll(call);
      return { mistakes: call.services.mirror.ruleFiles.check(call.input.file, call.input.text) };
    },
  }),
  recordedRoute(
    {
      method: 'PUT',
      path: '/portal/automations/files/:file',
      access: 'admin',
      input: z.object({
        connection,
        account,
        file,
        text,
        version: z.string().nullable().default(null).describe('Of the file that was read; null for a new one.'),
      }),
      run: async (call) => {
        await requireAll(call);
        const { file: name, text: written, version } = call.input;
        return call.services.mirror.ruleFiles.write({ name, text: written, version });
      },
    },
    writtenRules,
  ),
  recordedRoute(
    {
      method: 'POST',
      path: '/portal/automations/recipes/:rule',
      access: 'admin',
      input: z.object({ connection, account, rule: z.string().min(1), state: z.enum(['draft', 'test', 'live']) }),
      run: async (call) => {
        await requireAll(call);
        return call.services.mirror.ruleFiles.addRecipe(call.input.rule, call.input.state);
      },
    },
    writtenRules,
  ),
];

function writtenRules(_input: object, answer: unknown): AuditEntry {
  const { name, version, rules } = answer as ShownRuleFile;
  return { action: 'write rules', subject: `rules:${name}`, values: { after: { version, rules } } };
}

/**
 * Rules act in every connection of the service, so their texts are for those who own all of them.
 * @throws ApiError 403 where another account is here, too
 */
async function requireAll({ services, caller }: Pick<PortalCall<unknown>, 'services' | 'caller'>): Promise<void> {
  requireMain(caller);
  if (await ownsService(services, caller)) return;
  throw new ApiError(
    403,
    'The rules are those of several accounts: only whoever runs the service reads and writes them.',
  );
}
