import type { InboxState, MirrorDb } from './database.ts';

export interface EventLogQuestion {
  connection: string;
  state?: string | undefined;
  limit: number;
}

/** Received events, newest first, without their bodies. */
export function receivedEvents(db: MirrorDb, question: EventLogQuestion) {
  let query = db.selectFrom('inbox').where('connection', '=', question.connection);
  if (question.state !== undefined) query = query.where('state', '=', question.state as InboxState);
  return query
    .select(['event_id', 'event', 'received_at', 'resource', 'key', 'state', 'closed_at', 'change_seq'])
    .orderBy('received_at', 'desc')
    .orderBy('event_id', 'desc')
    .limit(question.limit)
    .execute();
}

/** One event with its payload and the change that came of it, if any. */
export async function eventById(db: MirrorDb, connection: string, eventId: string): Promise<object | undefined> {
  const event = await db
    .selectFrom('inbox')
    .where('connection', '=', connection)
    .where('event_id', '=', eventId)
    .selectAll()
    .executeTakeFirst();
  if (!event) return undefined;
  const { body, connection: _, ...rest } = event;
  const change =
    event.change_seq === null
      ? undefined
      : await db
          .selectFrom('changes')
          .where('connection', '=', connection)
          .where('seq', '=', event.change_seq)
          .select(['seq', 'resource', 'key', 'part', 'op', 'at'])
          .executeTakeFirst();
  return { ...rest, payload: body === null ? null : (JSON.parse(body) as unknown), change: change ?? null };
}
