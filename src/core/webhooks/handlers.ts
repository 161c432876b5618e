import { selectableEvents } from '../../contract/events.ts';
import { instantOf, withOffset } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Context, Handler } from '../context.ts';
import type { AccountRow, WebhookRow } from '../database.ts';
import { refuseForeign } from '../ownership.ts';
import { registerWebhook } from './register.ts';
import { liveWebhooks, webhookById } from './table.ts';

export const listWebhooks: Handler<'listWebhooks'> = async (_input, { db, account }) => {
  const rows = await liveWebhooks(db, { accountId: account.account_id });
  return { webhooks: rows.map((row) => presentWebhook(row, account)), total: rows.length };
};

export const createWebhook: Handler<'createWebhook'> = (input, context) => {
  requireHttpUrl(input.url);
  const { clientId } = context;
  return context.change(async (change) => {
    const draft = { url: input.url, events: input.events, manageable: true, signatureOnly: false, clientId };
    const { id, secret } = await registerWebhook(change, draft);
    return { id, secret_token: secret };
  });
};

export const updateWebhook: Handler<'updateWebhook'> = async (input, context) => {
  const row = await requireManageable(context, input.id);
  if (input.url !== undefined) requireHttpUrl(input.url);
  const changed = {
    ...row,
    url: input.url ?? row.url,
    events: input.events ? JSON.stringify(input.events) : row.events,
  };
  await context.change(async (change) => {
    await change.trx
      .updateTable('webhooks')
      .set({ url: changed.url, events: changed.events })
      .where('account_id', '=', row.account_id)
      .where('id', '=', row.id)
      .execute();
    change.audit('updateWebhook', String(row.id));
  });
  return presentWebhook(changed, context.account);
};

export const deleteWebhook: Handler<'deleteWebhook'> = async (input, context) => {
  const row = await requireManageable(context, input.id);
  await context.change(async (change) => {
    await change.trx
      .updateTable('webhooks')
      .set({ deleted_at: instantOf(change.now) })
      .where('account_id', '=', row.account_id)
      .where('id', '=', row.id)
      .execute();
    change.audit('deleteWebhook', String(row.id));
  });
};

async function requireManageable({ db, account }: Context, id: number): Promise<WebhookRow> {
  const row = await webhookById(db, id);
  refuseForeign(row, account, 'id');
  if (!row?.manageable) throw new ApiError(403, 'This webhook was made in the portal and is changed there.');
  return row;
}

function presentWebhook(row: WebhookRow, account: AccountRow) {
  return {
    id: row.id,
    url: row.url,
    events: row.events ? (JSON.parse(row.events) as string[]) : [...selectableEvents],
    manageable: row.manageable === 1,
    created_at: withOffset(row.created_at, account.time_zone),
  };
}

/** Where it may lead is judged again at each delivery, since names can be pointed elsewhere. */
export function requireHttpUrl(text: string): void {
  const protocol = URL.canParse(text) ? new URL(text).protocol : undefined;
  if (protocol !== 'https:' && protocol !== 'http:') {
    throw new ApiError(422, 'url: must be an absolute https address', { field: 'url' });
  }
}
