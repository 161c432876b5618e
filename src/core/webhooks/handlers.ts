import { selectableEvents } from '../../contract/events.ts';
import { instantOf, withOffset } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import { nextIds } from '../../store/sequences.ts';
import type { Context, Handler } from '../context.ts';
import type { AccountRow, WebhookRow } from '../database.ts';
import { refuseForeign } from '../ownership.ts';
import { liveWebhooks, sealContext, webhookById } from './table.ts';

/** 256 bits, as the signature's own length. */
const SECRET_BYTES = 32;

export const listWebhooks: Handler<'listWebhooks'> = async (_input, { db, account }) => {
  const rows = await liveWebhooks(db, { accountId: account.account_id });
  return { webhooks: rows.map((row) => presentWebhook(row, account)) };
};

export const createWebhook: Handler<'createWebhook'> = (input, context) => {
  requireHttpUrl(input.url);
  const secret = `whsec_${context.core.random.bytes(SECRET_BYTES).toString('base64')}`;
  return context.change(async (change) => {
    const id = await nextIds(change.trx, 'webhooks');
    await change.trx
      .insertInto('webhooks')
      .values({
        account_id: context.account.account_id,
        id,
        url: input.url,
        events: input.events ? JSON.stringify(input.events) : null,
        secret: context.core.sealer.seal(secret, sealContext(id)),
        manageable: 1,
        signature_only: 0,
        created_at: instantOf(change.now),
        deleted_at: null,
      })
      .execute();
    change.audit('createWebhook', String(id));
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
function requireHttpUrl(text: string): void {
  const protocol = URL.canParse(text) ? new URL(text).protocol : undefined;
  if (protocol !== 'https:' && protocol !== 'http:') {
    throw new ApiError(422, 'url: must be an absolute https address', { field: 'url' });
  }
}
