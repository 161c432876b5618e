import { z } from 'zod';
import { selectableEvents } from '../../contract/events.ts';
import { runChange } from '../../core/change.ts';
import type { Change } from '../../core/context.ts';
import type { WebhookRow } from '../../core/database.ts';
import { requireHttpUrl } from '../../core/webhooks/handlers.ts';
import { undeliveredSince } from '../../core/outbox/undelivered.ts';
import { changeWebhook, endWebhook, openUrl, registerWebhook, rotateSecret } from '../../core/webhooks/register.ts';
import { allWebhooks, findWebhook, webhookById } from '../../core/webhooks/table.ts';
import { instantOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Sealer } from '../../kernel/seal.ts';
import type { Caller } from '../access.ts';
import { moment } from './moment.ts';
import { type PortalServices, portalRoute } from './route.ts';
import { accountOf, isMain, operatorOf, requireMain } from './who.ts';

const DAY_MS = 86_400_000;

const account = z.string().optional();
const url = z.string().max(2_048);
const events = z.array(z.enum(selectableEvents));

/** All webhooks of an account, whoever registered them, and actions on them that v3 lacks. */
export const webhookRoutes = [
  portalRoute({
    method: 'GET',
    path: '/portal/webhooks',
    access: 'read',
    input: z.object({ account }),
    run: async ({ services, caller, input }) => {
      requireMain(caller);
      const { account_id } = await accountOf(services, caller, input.account);
      const rows = await allWebhooks(services.core.store.db, account_id);
      return { webhooks: rows.map((row) => presentWebhook(services.core.sealer, row)) };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/webhooks',
    access: 'write',
    input: z.object({ account, url, events: events.optional(), signature_only: z.boolean().default(false) }),
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
    method: 'PATCH',
    path: '/portal/webhooks/:id',
    access: 'write',
    input: z.object({ account, id: z.int(), url: url.optional(), events: events.optional() }),
    run: async ({ services, caller, input }) => {
      if (input.url !== undefined) requireHttpUrl(input.url);
      const asked = { url: input.url, events: input.events };
      await changeOne(services, caller, input, (change, row) => changeWebhook(change, row, asked));
      return { changed: input.id };
    },
  }),
  portalRoute({
    method: 'DELETE',
    path: '/portal/webhooks/:id',
    access: 'write',
    input: z.object({ account, id: z.int() }),
    run: async ({ services, caller, input }) => {
      await changeOne(services, caller, input, endWebhook);
      return { deleted: input.id };
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/webhooks/:id/undelivered',
    access: 'read',
    input: z.object({ account, id: z.int(), since: moment }),
    run: async ({ services, caller, input: { account: name, id, since } }) => {
      const { core, eventDays } = services;
      const { account_id } = await accountOf(services, caller, name);
      const row = await findWebhook(core.store.db, account_id, id);
      if (!row || !mayAskAbout(caller, row)) throw unknownWebhook(id);
      const keptSince = instantOf(core.clock.now() - eventDays * DAY_MS);
      return {
        webhook_id: id,
        since,
        complete: keptSince <= since,
        ...(await undeliveredSince(core.store.db, row, since)),
      };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/webhooks/:id/rotate',
    access: 'write',
    input: z.object({ account, id: z.int() }),
    run: async ({ services, caller, input }) => ({
      secret_token: await changeOne(services, caller, input, rotateSecret),
    }),
  }),
];

/** @throws ApiError 401 for a sub-account; 404 if the account has no such webhook */
async function changeOne<T>(
  services: PortalServices,
  caller: Caller,
  asked: { account?: string | undefined; id: number },
  work: (change: Change, row: WebhookRow) => Promise<T>,
): Promise<T> {
  requireMain(caller);
  const owner = await accountOf(services, caller, asked.account);
  return runChange(services.core, { account: owner, operator: operatorOf(caller) }, async (change) => {
    const row = await webhookById(change.trx, asked.id);
    if (row?.account_id !== owner.account_id) throw unknownWebhook(asked.id);
    return work(change, row);
  });
}

/** Returns true for the main account, and for the operator who registered the webhook. */
function mayAskAbout(caller: Caller, { operator_id }: WebhookRow): boolean {
  return isMain(caller) || operatorOf(caller)?.id === operator_id;
}

function unknownWebhook(id: number): ApiError {
  return new ApiError(404, `id: there is no webhook ${id}`, { field: 'id' });
}

function presentWebhook(sealer: Sealer, row: Awaited<ReturnType<typeof allWebhooks>>[number]) {
  const { id, events, created_at } = row;
  return {
    id,
    url: openUrl(sealer, row),
    events: events === null ? [...selectableEvents] : (JSON.parse(events) as string[]),
    by_hand: row.manageable === 0,
    registered_by: { client_id: row.client_id, operator_id: row.operator_id, operator_name: row.operator_name },
    created_at,
  };
}
