import type { Change } from '../context.ts';
import { queueEvent } from '../outbox/queue.ts';
import { endWebhooksOf } from '../webhooks/register.ts';

/**
 * Ends what an application has registered in an account and tells it so: once, to each of its webhooks, signed with
 * their own secrets. Its tokens must have ended in the same change, so that nothing of it is left when it learns.
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
