import type { AccountId } from '../../kernel/ids.ts';
import { requireSameKey } from '../../store/sealing/sealClear.ts';
import type { Core } from '../context.ts';
import type { CoreTransaction, WebhookRow } from '../database.ts';
import { openSecrets, openUrl } from './register.ts';
import { farewellWebhooks, liveWebhooks, webhookSecrets, webhookTarget } from './table.ts';

/** The webhooks of an account, each with the kinds of events it wants. */
export async function webhooksOf(
  trx: CoreTransaction,
  accountId: AccountId,
): Promise<{ id: number; wants(kind: string): boolean }[]> {
  const rows = await liveWebhooks(trx, { accountId });
  return rows.map((row) => ({ id: row.id, wants: selection(row) }));
}

/**
 * The webhooks that learn that their application was disconnected. They have ended with it, and nobody else's is told.
 */
export function farewellsOf(trx: CoreTransaction, accountId: AccountId, eventId: string): Promise<{ id: number }[]> {
  return farewellWebhooks(trx, { accountId, eventId });
}

function selection({ events }: WebhookRow): (kind: string) => boolean {
  if (events === null) return () => true;
  const kinds = new Set(JSON.parse(events) as string[]);
  return (kind) => kinds.has(kind);
}

/** Where an event for a webhook goes now and what signs it; undefined when the webhook is no longer registered. */
export async function deliveryTarget({ store, sealer, clock }: Core, webhookId: number, eventId: string) {
  const [webhook] = await webhookTarget(store.db, { id: webhookId, eventId });
  if (!webhook) return undefined;
  const row = { ...webhook, id: webhookId };
  const secrets = openSecrets(sealer, row, clock.now());
  return { url: openUrl(sealer, row), signatureOnly: webhook.signature_only === 1, ...secrets };
}

/** Throws an OperatorError when what is stored does not open, as with a key that is not the one it was sealed with. */
export async function requireSecretsOpen({ store, sealer, clock }: Core): Promise<void> {
  await requireSameKey(store, sealer);
  for (const row of await webhookSecrets(store.db)) openSecrets(sealer, row, clock.now());
}
