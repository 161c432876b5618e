import type { AccountId } from '../../kernel/ids.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import type { Core } from '../context.ts';
import { farewellsOf, webhooksOf } from '../webhooks/targets.ts';
import { type DueDelivery, markFannedOut, waitingEvent, waitingEvents } from './table.ts';

/** Events assigned in one transaction. */
const BATCH = 100;

/**
 * Writes a delivery row for each waiting event and each webhook that selects it, leased to this process until
 * `leasedUntil`. The commit is the claim. Deliveries of a webhook that is `full` are left unleased.
 * @returns the deliveries just written; `more` when further events wait
 */
export async function fanOut(
  core: Core,
  leasedUntil: number,
  full: (webhookId: number) => boolean,
): Promise<{ due: DueDelivery[]; more: boolean }> {
  if ((await waitingEvent(core.store.db, {})).length === 0) return { due: [], more: false };
  return core.store.transaction(async (trx) => {
    const events = await waitingEvents(trx, { limit: BATCH });
    if (events.length === 0) return { due: [], more: false };
    const webhooks = new Map<AccountId, Awaited<ReturnType<typeof webhooksOf>>>();
    for (const accountId of new Set(events.map((event) => event.account_id))) {
      webhooks.set(accountId, await webhooksOf(trx, accountId));
    }
    const due: DueDelivery[] = [];
    for (const { event, ...rest } of events) {
      const { account_id, event_id } = rest;
      const wanting =
        event === 'authorization_revoked'
          ? await farewellsOf(trx, account_id, event_id)
          : (webhooks.get(account_id) ?? []).filter((webhook) => webhook.wants(event));
      due.push(...wanting.map((webhook) => ({ ...rest, webhook_id: webhook.id })));
    }
    const rows = due.map(({ account_id, event_id, webhook_id }) => ({
      account_id,
      event_id,
      webhook_id,
      outcome: null,
      http_status: null,
      leased_until: full(webhook_id) ? 0 : leasedUntil,
      finished_at: null,
    }));
    await insertMany(trx, 'deliveries', rows);
    await markFannedOut(trx, { eventIds: events.map((event) => event.event_id) });
    return { due, more: events.length === BATCH };
  });
}
