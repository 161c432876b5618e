import { sql } from 'kysely';
import type { Instant } from '../../kernel/dates.ts';
import type { CoreDb, WebhookRow } from '../database.ts';

/** What a webhook has not got. */
export interface Undelivered {
  /** Deliveries that failed since that moment. They are not sent again. */
  failed: number;
  /** When the oldest event was queued that is still to be delivered; null: none waits. */
  waiting_since: Instant | null;
}

/** A literal, as in the condition of the partial index. */
const failed = sql<boolean>`outcome <> 'delivered'`;

/** Returns what was not delivered to a webhook since a moment. */
export async function undeliveredSince(
  db: CoreDb,
  { account_id, id }: Pick<WebhookRow, 'account_id' | 'id'>,
  since: Instant,
): Promise<Undelivered> {
  const lost = await db
    .selectFrom('deliveries')
    .where('webhook_id', '=', id)
    .where('finished_at', '>=', since)
    .where(failed)
    .select((of) => of.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const assigned = await db
    .selectFrom('deliveries')
    .innerJoin('outbox', (join) =>
      join
        .onRef('outbox.account_id', '=', 'deliveries.account_id')
        .onRef('outbox.event_id', '=', 'deliveries.event_id'),
    )
    .where('deliveries.webhook_id', '=', id)
    .where('deliveries.outcome', 'is', null)
    .select('outbox.queued_at')
    .orderBy('deliveries.event_id')
    .limit(1)
    .executeTakeFirst();
  const unassigned = await db
    .selectFrom('outbox')
    .where('account_id', '=', account_id)
    .where(sql<boolean>`fanned_out = 0`)
    .select('queued_at')
    .orderBy('event_id')
    .limit(1)
    .executeTakeFirst();
  const waiting = [assigned, unassigned].flatMap((row) => (row ? [row.queued_at] : [])).toSorted();
  return { failed: Number(lost.total), waiting_since: waiting[0] ?? null };
}
