import type { EventKind } from '../../contract/events.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { prepared } from '../../store/prepared.ts';
import type { CoreDb, WebhookRow } from '../database.ts';

/** The account's webhooks that are still registered. */
export const liveWebhooks = prepared((db: CoreDb, arg: { accountId: AccountId }) =>
  db
    .selectFrom('webhooks')
    .where('account_id', '=', arg.accountId)
    .where('deleted_at', 'is', null)
    .selectAll()
    .orderBy('id', 'desc'),
);

/** A live webhook by its number, whoever owns it. */
export function webhookById(db: CoreDb, id: number): Promise<WebhookRow | undefined> {
  return db
    .selectFrom('webhooks')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .selectAll()
    .executeTakeFirst();
}

/** Whether a webhook has asked for this kind of event. */
export function wants(webhook: Pick<WebhookRow, 'events'>, kind: EventKind | string): boolean {
  return webhook.events === null || (JSON.parse(webhook.events) as string[]).includes(kind);
}

/** Where a webhook's deliveries go now. */
export const webhookTarget = prepared((db: CoreDb, arg: { id: number }) =>
  db
    .selectFrom('webhooks')
    .where('id', '=', arg.id)
    .where('deleted_at', 'is', null)
    .select(['url', 'secret', 'signature_only']),
);

/** What a webhook's secret is encrypted for, so that one row's cannot be put into another. */
export function sealContext(webhookId: number): string {
  return `webhook:${webhookId}`;
}
