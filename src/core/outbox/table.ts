import { sql } from 'kysely';
import type { Instant } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { forUpdateSkipLocked } from '../../store/queries/forUpdateSkipLocked.ts';
import { inList } from '../../store/queries/inList.ts';
import { prepared } from '../../store/queries/prepared.ts';
import type { CoreDb, CoreTransaction } from '../database.ts';

/** One event for one webhook, with the data needed to send it. */
export interface DueDelivery {
  account_id: AccountId;
  event_id: string;
  body: string;
  webhook_id: number;
}

/** A literal, since with a bound 0 SQLite may not use the partial index of waiting rows. */
const notFannedOut = sql<boolean>`fanned_out = 0`;

/** Claims for this transaction the events that have no delivery rows yet, oldest first. */
export const waitingEvents = prepared((trx: CoreDb, arg: { limit: number }) =>
  forUpdateSkipLocked(
    trx
      .selectFrom('outbox')
      .where(notFannedOut)
      .select(['account_id', 'event_id', 'event', 'body'])
      .orderBy('event_id')
      .limit(arg.limit),
  ),
);

/** Returns any waiting event. It is asked every second, so it uses no transaction. */
export const waitingEvent = prepared((db: CoreDb, _arg: object) =>
  db.selectFrom('outbox').where(notFannedOut).select('event_id').limit(1),
);

export const markFannedOut = prepared((trx: CoreDb, arg: { eventIds: readonly string[] }) =>
  trx
    .updateTable('outbox')
    .set({ fanned_out: 1 })
    .where((where) => inList(where.ref('event_id'), arg.eventIds))
    .where(notFannedOut),
);

/** Claims for this transaction a webhook's deliveries that have no outcome and no sender. */
export const dueDeliveries = prepared((trx: CoreDb, arg: { webhookId: number; now: number; limit: number }) =>
  forUpdateSkipLocked(
    trx
      .selectFrom('deliveries')
      .where('deliveries.outcome', 'is', null)
      .where('deliveries.webhook_id', '=', arg.webhookId)
      .where('deliveries.leased_until', '<=', arg.now)
      .select(['deliveries.account_id', 'deliveries.event_id', 'deliveries.webhook_id'])
      .orderBy('deliveries.event_id')
      .limit(arg.limit),
  ),
);

export const leaseDeliveries = prepared(
  (trx: CoreDb, arg: { webhookId: number; eventIds: readonly string[]; until: number }) =>
    trx
      .updateTable('deliveries')
      .set({ leased_until: arg.until })
      .where('webhook_id', '=', arg.webhookId)
      .where((where) => inList(where.ref('event_id'), arg.eventIds))
      .where('outcome', 'is', null),
);

export const bodiesOf = prepared((db: CoreDb, arg: { accountId: AccountId; eventIds: readonly string[] }) =>
  db
    .selectFrom('outbox')
    .where('account_id', '=', arg.accountId)
    .where((where) => inList(where.ref('event_id'), arg.eventIds))
    .select(['event_id', 'body']),
);

/** Returns webhooks with deliveries that have no sender, left behind by a crash or a full lane. */
export function webhooksWithDue(db: CoreDb, now: number): Promise<{ webhook_id: number }[]> {
  return db
    .selectFrom('deliveries')
    .where('outcome', 'is', null)
    .where('leased_until', '<=', now)
    .select('webhook_id')
    .distinct()
    .execute();
}

export interface FinishedDelivery extends Pick<DueDelivery, 'account_id' | 'event_id' | 'webhook_id'> {
  outcome: string;
  http_status: number | null;
}

const finishDelivery = prepared((trx: CoreDb, arg: FinishedDelivery & { at: Instant }) =>
  trx
    .updateTable('deliveries')
    .set({ outcome: arg.outcome, http_status: arg.http_status, finished_at: arg.at })
    .where('account_id', '=', arg.account_id)
    .where('event_id', '=', arg.event_id)
    .where('webhook_id', '=', arg.webhook_id),
);

export async function finishDeliveries(
  trx: CoreTransaction,
  finished: readonly FinishedDelivery[],
  at: Instant,
): Promise<void> {
  for (const one of finished) await finishDelivery(trx, { ...one, at });
}

/** Ends all leases after an unclean stop. Allowed only where one process owns the database. */
export function dropLeases(db: CoreDb): Promise<unknown> {
  return db.updateTable('deliveries').set({ leased_until: 0 }).where('outcome', 'is', null).execute();
}

/** Returns the next account after this one that has events. */
export async function nextAccount(db: CoreDb, after: string): Promise<AccountId | undefined> {
  const next = await db
    .selectFrom('outbox')
    .where('account_id', '>', after as AccountId)
    .select('account_id')
    .orderBy('account_id')
    .limit(1)
    .executeTakeFirst();
  return next?.account_id;
}

/** Claims for this transaction the events of an account between two ids, oldest first. */
export const eventsBetween = prepared(
  (trx: CoreDb, arg: { accountId: AccountId; after: string; before: string; limit: number }) =>
    forUpdateSkipLocked(
      trx
        .selectFrom('outbox')
        .where('account_id', '=', arg.accountId)
        .where('event_id', '>', arg.after)
        .where('event_id', '<', arg.before)
        .select(['event_id', 'fanned_out'])
        .orderBy('event_id')
        .limit(arg.limit),
    ),
);

/** Counts the deliveries of each event, and those with an outcome. */
export const deliveriesOfEvents = prepared((trx: CoreDb, arg: { accountId: AccountId; eventIds: readonly string[] }) =>
  trx
    .selectFrom('deliveries')
    .where('account_id', '=', arg.accountId)
    .where((where) => inList(where.ref('event_id'), arg.eventIds))
    .groupBy('event_id')
    .select((of) => ['event_id', of.fn.countAll<number>().as('total'), of.fn.count<number>('outcome').as('finished')]),
);

/** Deletes at most `limit` deliveries of these events that have an outcome. */
export const deleteDeliveries = prepared(
  (trx: CoreDb, arg: { accountId: AccountId; eventIds: readonly string[]; limit: number }) =>
    trx
      .deleteFrom('deliveries')
      .where('account_id', '=', arg.accountId)
      .where((where) =>
        where(where.refTuple('event_id', 'webhook_id'), 'in', (of) =>
          of
            .selectFrom('deliveries as old')
            .where('old.account_id', '=', arg.accountId)
            .where((old) => inList(old.ref('old.event_id'), arg.eventIds))
            .where('old.outcome', 'is not', null)
            .select(['old.event_id', 'old.webhook_id'])
            .limit(arg.limit)
            .$asTuple('event_id', 'webhook_id'),
        ),
      ),
);

export const deleteEvents = prepared((trx: CoreDb, arg: { accountId: AccountId; eventIds: readonly string[] }) =>
  trx
    .deleteFrom('outbox')
    .where('account_id', '=', arg.accountId)
    .where((where) => inList(where.ref('event_id'), arg.eventIds)),
);

/** Counts events that wait for assignment and deliveries without an outcome. */
export async function deliveryBacklog(db: CoreDb): Promise<{ events: number; deliveries: number }> {
  const count = (table: 'outbox' | 'deliveries') =>
    table === 'outbox'
      ? db
          .selectFrom('outbox')
          .where(notFannedOut)
          .select((of) => of.fn.countAll<number>().as('total'))
      : db
          .selectFrom('deliveries')
          .where('outcome', 'is', null)
          .select((of) => of.fn.countAll<number>().as('total'));
  const [events, deliveries] = [
    await count('outbox').executeTakeFirstOrThrow(),
    await count('deliveries').executeTakeFirstOrThrow(),
  ];
  return { events: events.total, deliveries: deliveries.total };
}

/** Counts deliveries by outcome; `null` counts those still to be made. */
export function deliveriesByOutcome(db: CoreDb): Promise<{ outcome: string | null; total: number }[]> {
  return db
    .selectFrom('deliveries')
    .groupBy('outcome')
    .select((of) => ['outcome', of.fn.countAll<number>().as('total')])
    .execute();
}
