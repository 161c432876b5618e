import { z } from 'zod';
import { listAudit } from '../../core/audit/table.ts';
import { moment } from './moment.ts';
import { portalRoute } from './route.ts';
import { accountOf, requireMain } from './who.ts';

/** `GET /portal/audit`: actions with their actors, and refusals, newest first. */
export const auditRoute = portalRoute({
  method: 'GET',
  path: '/portal/audit',
  access: 'read',
  input: z.object({
    account: z.string().min(1).optional(),
    actor: z.string().min(1).max(2_048).optional(),
    action: z.string().min(1).max(100).optional(),
    exact: z.boolean().optional(),
    since: moment.optional(),
    after: z.string().min(1).max(100).optional(),
    limit: z.int().min(1).max(1_000).default(100),
  }),
  run: async ({ services, caller, input: { account, ...question } }) => {
    requireMain(caller);
    const { account_id } = await accountOf(services, caller, account);
    const entries = await listAudit(services.core.store.db, account_id, question);
    return { entries, next: entries.length === question.limit ? (entries.at(-1)?.id ?? null) : null };
  },
});
