import type { AccountId } from '../../kernel/ids.ts';
import { requireSameKey } from '../../store/sealing/sealClear.ts';
import type { Core } from '../context.ts';
import type { CoreTransaction, WebhookRow } from '../database.ts';
import { openSecrets, openUrl } from './register.ts';
import { farewellWebhooks, liveWebhooks, webhookSecrets, webhookTarget } from './table.ts';

/** Returns the webhooks of an account, each with the kinds of events it selects. */
export async function webhooksOf(
  trx: CoreTransaction,
  accountId: AccountId,
): Promise<{ id: number; wants(kind: string): boolean }[]> {
  const rows = await liveWebhooks(trx, { accountId });
  return rows.map((row) => ({ id: row.id, wants: selection(row) }));
}

/**
 * Returns the webhooks that receive the disconnection of their application. They have ended with it, and no other
 * webhook receives the event.
 */
export function farewellsOf(trx: CoreTransaction, accountId: AccountId, eventId: string): Promise<{ id: number }[]> {
  return farewellWebhooks(trx, { accountId, eventId });
}

function selection({ events }: WebhookRow): (kind: string) => boolean {
  if (events === null) return () => true;
  const kinds = new Set(JSON.parse(events) as string[]);
  return (kind) => kinds.has(kind);
}

/**
 * Returns the present target of an event for a webhook and the secrets that sign it; `isDaemons` if the daemon beside the
 * core registered it. Undefined when the webhook is no longer registered.
 */
export async function deliveryTarget({ store, sealer, clock }: Core, webhookId: number, eventId: string) {
  const [webhook] = await webhookTarget(store.db, { id: webhookId, eventId });
  if (!webhook) return undefined;
  const row = { ...webhook, id: webhookId };
  const secrets = openSecrets(sealer, row, clock.now());
  const { signature_only, unlimited } = webhook;
  return { url: openUrl(sealer, row), signatureOnly: signature_only === 1, isDaemons: unlimited === 1, ...secrets };
}

/** Throws an OperatorError when a stored value does not open, as with a key other than the one that sealed it. */
export async function requireSecretsOpen({ store, sealer, clock }: Core): Promise<void> {
  await requireSameKey(store, sealer);
  for (const row of await webhookSecrets(store.db)) openSecrets(sealer, row, clock.now());
}
