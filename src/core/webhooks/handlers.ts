import { selectableEvents } from '../../contract/events.ts';
import { withOffset } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Context, Handler } from '../context.ts';
import { requireStillIn } from '../accounts/stillIn.ts';
import type { CoreTransaction, WebhookRow } from '../database.ts';
import { refuseForeign } from '../ownership.ts';
import { changeWebhook, endWebhook, openUrl, registerWebhook, type WebhookChange } from './register.ts';
import { mayManage } from './rules.ts';
import { liveWebhooks, webhookById } from './table.ts';

export const listWebhooks: Handler<'listWebhooks'> = async (_input, context) => {
  const rows = await liveWebhooks(context.db, { accountId: context.account.account_id });
  return { webhooks: rows.map((row) => presentWebhook(row, context)), total: rows.length };
};

export const createWebhook: Handler<'createWebhook'> = (input, context) => {
  requireHttpUrl(input.url);
  const { clientId, tokenId } = context;
  return context.change(async (change) => {
    await requireStillIn(change, { clientId, tokenId });
    const draft = { url: input.url, events: input.events, manageable: true, signatureOnly: false, clientId, tokenId };
    const { id, secret } = await registerWebhook(change, draft);
    return { id, secret_token: secret };
  });
};

export const updateWebhook: Handler<'updateWebhook'> = async ({ id, ...asked }, context) => {
  if (asked.url !== undefined) requireHttpUrl(asked.url);
  const changed = await context.change(async (change) => {
    const row = await requireManageable(change.trx, context, id);
    return changeWebhook(change, row, asked satisfies WebhookChange);
  });
  return presentWebhook(changed, context);
};

export const deleteWebhook: Handler<'deleteWebhook'> = (input, context) =>
  context.change(async (change) => {
    await endWebhook(change, await requireManageable(change.trx, context, input.id));
    return undefined;
  });

/**
 * Returns a webhook that the caller may change. It is read in the same transaction, so a webhook that ended meanwhile
 * stays unchanged and its last event goes to its old address.
 */
async function requireManageable(trx: CoreTransaction, context: Context, id: number): Promise<WebhookRow> {
  const row = await webhookById(trx, id);
  refuseForeign(row, context.account, 'id');
  if (!row?.manageable) throw new ApiError(403, 'This webhook was made in the portal and is changed there.');
  if (!mayManage(row, context)) {
    throw new ApiError(403, 'Only who registered this webhook, or the main account, changes or deletes it.');
  }
  return row;
}

/** @param context the reader, for whom the answer states whether the webhook can be changed */
function presentWebhook(row: WebhookRow, context: Context) {
  return {
    id: row.id,
    url: openUrl(context.core.sealer, row),
    events: row.events ? (JSON.parse(row.events) as string[]) : [...selectableEvents],
    manageable: row.manageable === 1 && mayManage(row, context),
    created_at: withOffset(row.created_at, context.account.time_zone),
  };
}

/** Checks the form of a URL. Its target is checked again at each delivery, since a name can be redirected. */
export function requireHttpUrl(text: string): void {
  const protocol = URL.canParse(text) ? new URL(text).protocol : undefined;
  if (protocol !== 'https:' && protocol !== 'http:') {
    throw new ApiError(422, 'url: must be an absolute https address', { field: 'url' });
  }
}
