import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Instant } from '../../kernel/dates.ts';
import { inList } from '../../store/queries/inList.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { prepared } from '../../store/queries/prepared.ts';
import { next } from '../../kernel/transitions.ts';
import { inboxLife, type InboxState } from '../tables/states.ts';
import type { Mirror, MirrorDb, MirrorTrx, NewEvent } from '../tables/database.ts';

type Db = Kysely<Mirror>;

/** Stores events; an event whose id is already stored does not change. @returns the number of new events */
export function insertEvents(trx: MirrorTrx, events: readonly NewEvent[]): Promise<number> {
  return insertMany(trx, 'inbox', events, { columns: ['connection', 'event_id'] });
}

/** Reads the stored events with these ids. */
export const eventsById = prepared((db: Db, arg: { connection: string; ids: readonly string[] }) =>
  db
    .selectFrom('inbox')
    .select(['event_id', 'received_at', 'resource', 'key', 'mark_number', 'state', 'body'])
    .where('connection', '=', arg.connection)
    .where((eb) => inList(eb.ref('event_id'), arg.ids)),
);

export interface PendingEvent {
  event_id: string;
  event: string;
  key: string | null;
  received_at: Instant;
  body: string | null;
}

/**
 * Reads events of these keys that wait for a read, marked before the read with this number was sent; by id, from
 * `after` on.
 */
export const pendingEvents = prepared(
  (
    db: Db,
    arg: {
      connection: string;
      resource: string;
      keys: readonly string[];
      number: number;
      after: string;
      limit: number;
    },
  ) =>
    // The inner query finds rows by key, the outer one sorts them: left to itself, SQLite scans the whole inbox by id.
    db
      .with(
        (cte) => cte('waiting').materialized(),
        (of) =>
          of
            .selectFrom('inbox')
            .select(['event_id', 'event', 'key', 'received_at', 'body'])
            .where('state', '=', sql.lit('pending'))
            .where('connection', '=', arg.connection)
            .where('resource', '=', arg.resource)
            .where((eb) => inList(eb.ref('key').$castTo<string>(), arg.keys))
            .where('mark_number', '<', arg.number),
      )
      .selectFrom('waiting')
      .selectAll()
      .where('event_id', '>', arg.after)
      .orderBy('event_id')
      .limit(arg.limit),
);

/** Closes these events. @param arg its `state` is the next state of pending events after a trigger */
export const closeEvents = prepared(
  (db: Db, arg: { connection: string; ids: readonly string[]; state: InboxState; seq: number | null; at: Instant }) =>
    db
      .updateTable('inbox')
      .set({ state: arg.state, change_seq: arg.seq, closed_at: arg.at })
      .where('connection', '=', arg.connection)
      .where((eb) => inList(eb.ref('event_id'), arg.ids)),
);

/** Makes events wait for a read again. */
export const reopenEvents = prepared((db: Db, arg: { connection: string; ids: readonly string[]; number: number }) =>
  db
    .updateTable('inbox')
    .set({ state: next(inboxLife, 'done', 'replay'), mark_number: arg.number, closed_at: null, change_seq: null })
    .where('connection', '=', arg.connection)
    .where((eb) => inList(eb.ref('event_id'), arg.ids)),
);

const lastReceived = prepared((db: Db, arg: { connection: string }) =>
  db
    .selectFrom('inbox')
    .select('received_at')
    .where('connection', '=', arg.connection)
    .orderBy('event_id', 'desc')
    .limit(1),
);

/**
 * Returns the approximate arrival of the newest event, including events of other processes: ids usually sort by time.
 */
export async function newestReceived(db: MirrorDb, connection: string): Promise<Instant | undefined> {
  return (await lastReceived(db, { connection }))[0]?.received_at;
}

/** Counts the events that wait for a read. */
export async function countPending(db: MirrorDb, connection: string): Promise<number> {
  const { count } = await db
    .selectFrom('inbox')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', sql.lit('pending'))
    .where('connection', '=', connection)
    .executeTakeFirstOrThrow();
  return count;
}
