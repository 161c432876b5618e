import { invalid } from '../../kernel/errors.ts';
import { statesOf } from '../../kernel/transitions.ts';
import type { MirrorDb } from '../tables/database.ts';
import { inboxLife } from '../tables/states.ts';

interface EventLogQuestion {
  connection: string;
  state?: string | undefined;
  limit: number;
}

/** Returns received events, newest first, without their bodies. Throws if there is no such state. */
export async function receivedEvents(db: MirrorDb, question: EventLogQuestion) {
  let query = db.selectFrom('inbox').where('connection', '=', question.connection);
  if (question.state !== undefined) {
    const states = statesOf(inboxLife);
    const state = states.find((one) => one === question.state);
    if (!state) throw invalid('state', `must be one of ${states.join(', ')}`);
    query = query.where('state', '=', state);
  }
  return query
    .select(['event_id', 'event', 'received_at', 'resource', 'key', 'state', 'closed_at', 'change_seq'])
    .orderBy('received_at', 'desc')
    .orderBy('event_id', 'desc')
    .limit(question.limit)
    .execute();
}

/** Returns one event with its payload and the change that it led to, if any. */
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
