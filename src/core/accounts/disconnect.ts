import type { Change } from '../context.ts';
import { queueEvent } from '../outbox/queue.ts';
import { endWebhooksOf } from '../webhooks/register.ts';

/**
 * Removes everything that an application registered in an account and notifies each of its webhooks once, signed with
 * the webhook's own secret. The same change must revoke the application's tokens, so that it holds nothing when it
 * learns of its disconnection.
 */
export async function disconnectApplication(change: Change, clientId: string): Promise<void> {
  const { trx, core, account, now } = change;
  const { account_id } = account;
  const eventId = await queueEvent(trx, core, account_id, now, {
    event: 'authorization_revoked',
    account_id,
    client_id: clientId,
  });
  await endWebhooksOf(change, clientId, eventId);
  change.afterCommit(core.onQueued);
  change.audit('disconnect application', `oauth client ${clientId}`);
}
