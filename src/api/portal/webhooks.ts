import { z } from 'zod';
import { selectableEvents } from '../../contract/events.ts';
import { runChange } from '../../core/change.ts';
import { registerWebhook, rotateSecret } from '../../core/webhooks/register.ts';
import { requireHttpUrl } from '../../core/webhooks/handlers.ts';
import { webhookById } from '../../core/webhooks/table.ts';
import { ApiError } from '../../kernel/errors.ts';
import { portalRoute } from './route.ts';
import { accountOf, operatorOf, requireMain } from './who.ts';

const account = z.string().optional();

/** Webhooks made by hand, and what v3 has no operation for. */
export const webhookRoutes = [
  portalRoute({
    method: 'POST',
    path: '/portal/webhooks',
    access: 'write',
    input: z.object({
      account,
      url: z.string().max(2_048),
      events: z.array(z.enum(selectableEvents)).optional(),
      signature_only: z.boolean().default(false),
    }),
    run: async ({ services, caller, input }) => {
      requireMain(caller);
      requireHttpUrl(input.url);
      const who = { account: await accountOf(services, caller, input.account), operator: operatorOf(caller) };
      const draft = { url: input.url, events: input.events, manageable: false, signatureOnly: input.signature_only };
      const { id, secret } = await runChange(services.core, who, (change) => registerWebhook(change, draft));
      return { id, secret_token: secret };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/webhooks/:id/rotate',
    access: 'write',
    input: z.object({ account, id: z.int() }),
    run: async ({ services, caller, input }) => {
      requireMain(caller);
      const owner = await accountOf(services, caller, input.account);
      const row = await webhookById(services.core.store.db, input.id);
      if (row?.account_id !== owner.account_id) {
        throw new ApiError(404, `id: there is no webhook ${input.id}`, { field: 'id' });
      }
      const who = { account: owner, operator: operatorOf(caller) };
      return { secret_token: await runChange(services.core, who, (change) => rotateSecret(change, row)) };
    },
  }),
];
