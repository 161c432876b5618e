import type { EventPayload } from '../../contract/events.ts';
import { instantOf } from '../../kernel/dates.ts';
import type { AccountId, IdMaker } from '../../kernel/ids.ts';
import { aboutEvent, type Tracer } from '../../kernel/tracing/tracer.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { type CoreTransaction, flag, type OutboxRow } from '../database.ts';

/**
 * Writes the events of one change to the outbox, in the transaction of that change. Equal events (one stay, one kind of
 * change) become one; nights of one property share an event.
 * @returns the number of queued events
 */
export async function queueEvents(
  trx: CoreTransaction,
  { ids, tracer }: { ids: IdMaker; tracer?: Tracer },
  accountId: AccountId,
  emitted: readonly EventPayload[],
  now: number,
): Promise<number> {
  const events = merged(emitted);
  if (events.length === 0) return 0;
  const rows = events.map((event) => rowOf(event, { accountId, eventId: ids(), now }));
  await insertMany(trx, 'outbox', rows);
  if (tracer?.isOn) for (const row of rows) tracer.remember(aboutEvent(row.event_id));
  return rows.length;
}

/** Queues one event whose id must be known. The caller wakes the delivery. */
export async function queueEvent(
  trx: CoreTransaction,
  { ids }: { ids: IdMaker },
  accountId: AccountId,
  now: number,
  event: EventPayload,
): Promise<string> {
  const eventId = ids();
  await insertMany(trx, 'outbox', [rowOf(event, { accountId, eventId, now })]);
  return eventId;
}

function rowOf(
  { event, ...fields }: EventPayload,
  { accountId, eventId, now }: { accountId: AccountId; eventId: string; now: number },
): OutboxRow {
  const queuedAt = instantOf(now);
  return {
    account_id: accountId,
    event_id: eventId,
    event,
    body: JSON.stringify({ event, event_id: eventId, ...fields, timestamp: queuedAt }),
    queued_at: queuedAt,
    fanned_out: flag(false),
  };
}

function merged(events: readonly EventPayload[]): EventPayload[] {
  const bySubject = new Map<string, EventPayload>();
  for (const event of events) {
    const subject = subjectOf(event);
    const earlier = bySubject.get(subject);
    if (earlier?.event === 'property_availability_updated' && event.event === 'property_availability_updated') {
      const nights = new Map([...earlier.availabilities, ...event.availabilities].map((night) => [night.date, night]));
      const availabilities = [...nights.values()].toSorted((a, b) => (a.date < b.date ? -1 : 1));
      bySubject.set(subject, { ...event, availabilities });
    } else if (!earlier) {
      bySubject.set(subject, event);
    }
  }
  return [...bySubject.values()];
}

function subjectOf(event: EventPayload): string {
  if (event.event === 'property_availability_updated') return `${event.event} ${event.property_id}`;
  return JSON.stringify(event);
}
