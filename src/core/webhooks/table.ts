import type { AccountId } from '../../kernel/ids.ts';
import { prepared } from '../../store/queries/prepared.ts';
import type { CoreDb, CoreTransaction, WebhookRow } from '../database.ts';

/** Returns the account's webhooks that are still registered. */
export const liveWebhooks = prepared((db: CoreDb | CoreTransaction, arg: { accountId: AccountId }) =>
  db
    .selectFrom('webhooks')
    .where('account_id', '=', arg.accountId)
    .where('deleted_at', 'is', null)
    .selectAll()
    .orderBy('id', 'desc'),
);

/** Returns live webhooks with the names of the people for whom they were registered. */
export function allWebhooks(db: CoreDb, accountId: AccountId) {
  return db
    .selectFrom('webhooks as webhook')
    .leftJoin('operators as operator', (join) =>
      join.onRef('operator.account_id', '=', 'webhook.account_id').onRef('operator.id', '=', 'webhook.operator_id'),
    )
    .where('webhook.account_id', '=', accountId)
    .where('webhook.deleted_at', 'is', null)
    .select(['webhook.id', 'webhook.url', 'webhook.events', 'webhook.manageable', 'webhook.created_at'])
    .select(['webhook.client_id', 'webhook.operator_id', 'operator.name as operator_name'])
    .orderBy('webhook.id', 'desc')
    .execute();
}

/** Returns a live webhook by its number, whoever owns it, locked until the transaction ends. */
export function webhookById(trx: CoreDb | CoreTransaction, id: number): Promise<WebhookRow | undefined> {
  return trx
    .selectFrom('webhooks')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
}

/** Finds a live webhook of an account. */
export function findWebhook(db: CoreDb, accountId: AccountId, id: number): Promise<WebhookRow | undefined> {
  return db
    .selectFrom('webhooks')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .selectAll()
    .executeTakeFirst();
}

/** Returns ended webhooks to which this event is still sent: the disconnection of their application. */
export const farewellWebhooks = prepared((db: CoreDb, arg: { accountId: AccountId; eventId: string }) =>
  db
    .selectFrom('webhooks')
    .where('account_id', '=', arg.accountId)
    .where('farewell_event_id', '=', arg.eventId)
    .select('id')
    .orderBy('id', 'desc'),
);

/** Returns the present target of a webhook's delivery. */
export const webhookTarget = prepared((db: CoreDb, arg: { id: number; eventId: string }) =>
  db
    .selectFrom('webhooks as webhook')
    .leftJoin('tokens as token', (join) =>
      join.onRef('token.account_id', '=', 'webhook.account_id').onRef('token.id', '=', 'webhook.token_id'),
    )
    .where('webhook.id', '=', arg.id)
    .where((where) =>
      where.or([where('webhook.deleted_at', 'is', null), where('webhook.farewell_event_id', '=', arg.eventId)]),
    )
    .select(['webhook.url', 'webhook.secret', 'webhook.previous_secret', 'webhook.previous_until'])
    .select(['webhook.signature_only', 'token.unlimited']),
);

/** Returns every secret that a delivery may need, whoever owns the webhook. */
export function webhookSecrets(
  db: CoreDb,
): Promise<Pick<WebhookRow, 'id' | 'secret' | 'previous_secret' | 'previous_until'>[]> {
  return db
    .selectFrom('webhooks')
    .where('deleted_at', 'is', null)
    .select(['id', 'secret', 'previous_secret', 'previous_until'])
    .execute();
}

type Sealed = Pick<WebhookRow, 'id' | 'url' | 'secret' | 'previous_secret'>;

/** Returns the encrypted values of all webhooks that ever existed, of every account. */
export function allSecrets(trx: CoreTransaction): Promise<Sealed[]> {
  return trx.selectFrom('webhooks').select(['id', 'url', 'secret', 'previous_secret']).orderBy('id').execute();
}

export async function saveSecrets(trx: CoreTransaction, { id, url, secret, previous_secret }: Sealed): Promise<void> {
  await trx.updateTable('webhooks').set({ url, secret, previous_secret }).where('id', '=', id).execute();
}
