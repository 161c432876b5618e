import { type Kysely, sql } from 'kysely';
import type { Instant } from '../../../kernel/dates.ts';
import { inList } from '../../../store/queries/inList.ts';
import { sealerOf } from '../../../store/sealing/keyed.ts';
import { prepared } from '../../../store/queries/prepared.ts';
import type { Mirror, MirrorTrx } from '../../tables/database.ts';
import { hookContext, openedColumns } from '../../tables/rows/sealedValues.ts';
import type { LostEventsTable } from './tables.ts';

type Db = Kysely<Mirror>;
type Place = Pick<LostEventsTable, 'connection' | 'seq' | 'event' | 'sub_event' | 'position'>;

/** Reads the changes under these keys whose event has not come yet. */
export const openUnder = prepared((db: Db, arg: { connection: string; resource: string; keys: readonly string[] }) =>
  db
    .selectFrom('lost_events')
    .selectAll()
    .where('state', '!=', sql.lit('late' as const))
    .where('connection', '=', arg.connection)
    .where('resource', '=', arg.resource)
    .where((eb) => inList(eb.ref('key'), arg.keys)),
);

/** Reads the events under these keys whose read found nothing new. */
export const idleEvents = prepared((db: Db, arg: { connection: string; resource: string; keys: readonly string[] }) =>
  db
    .selectFrom('inbox')
    .select(['event_id', 'event', 'key', 'received_at', 'body'])
    .where('state', '=', sql.lit('done' as const))
    .where('change_seq', 'is', null)
    .where('connection', '=', arg.connection)
    .where('resource', '=', arg.resource)
    .where((eb) => inList(eb.ref('key').$castTo<string>(), arg.keys))
    .orderBy('event_id', 'desc')
    .limit(1_000),
);

/** Reads the events under these keys that wait for a read. */
export const waitingEvents = prepared(
  (db: Db, arg: { connection: string; resource: string; keys: readonly string[] }) =>
    db
      .selectFrom('inbox')
      .select(['event_id', 'event', 'key', 'received_at', 'body'])
      .where('state', '=', sql.lit('pending' as const))
      .where('connection', '=', arg.connection)
      .where('resource', '=', arg.resource)
      .where((eb) => inList(eb.ref('key').$castTo<string>(), arg.keys))
      .orderBy('event_id', 'desc')
      .limit(5_000),
);

/** Reads these events with their bodies. */
export const eventsWithIds = prepared((db: Db, arg: { connection: string; ids: readonly string[] }) =>
  db
    .selectFrom('inbox')
    .select(['event_id', 'event', 'key', 'received_at', 'body'])
    .where('connection', '=', arg.connection)
    .where((eb) => inList(eb.ref('event_id'), arg.ids)),
);

/** Deletes a loss whose event was only slower than the scan. */
export async function withdraw(trx: MirrorTrx, { connection, seq, event, sub_event, position }: Place): Promise<void> {
  await trx
    .deleteFrom('lost_events')
    .where('connection', '=', connection)
    .where('seq', '=', seq)
    .where('event', '=', event)
    .where('sub_event', '=', sub_event)
    .where('position', '=', position)
    .execute();
}

export async function rewrite(
  trx: MirrorTrx,
  { connection, seq, event, sub_event, position }: Place,
  changes: Partial<LostEventsTable>,
): Promise<void> {
  await trx
    .updateTable('lost_events')
    .set(changes)
    .where('connection', '=', connection)
    .where('seq', '=', seq)
    .where('event', '=', event)
    .where('sub_event', '=', sub_event)
    .where('position', '=', position)
    .execute();
}

/** Returns the next free position beside a row. */
export async function nextPosition(trx: MirrorTrx, { connection, seq, event, sub_event }: Place): Promise<number> {
  const { last } = await trx
    .selectFrom('lost_events')
    .select((eb) => eb.fn.max<number>('position').as('last'))
    .where('connection', '=', connection)
    .where('seq', '=', seq)
    .where('event', '=', event)
    .where('sub_event', '=', sub_event)
    .executeTakeFirstOrThrow();
  return last + 1;
}

/** Returns the moment since which events of this kind are sent to us; undefined: they are not. */
export async function listeningSince(trx: MirrorTrx, connection: string, event: string): Promise<Instant | undefined> {
  const fact = await trx
    .selectFrom('connection_facts')
    .select(['value', 'changed_at'])
    .where('connection', '=', connection)
    .where('name', '=', 'listening_since')
    .executeTakeFirst();
  if (!fact) return undefined;
  const webhooks = await trx
    .selectFrom('webhooks')
    .select(['id', 'url', 'events'])
    .where('connection', '=', connection)
    .where('deleted_at', 'is', null)
    .execute();
  const ours = sealerOf(trx).open(fact.value, hookContext(connection)).split('?')[0];
  const own = webhooks.filter(({ id, ...row }) => {
    const { url } = openedColumns(trx, { connection, resource: 'webhook', key: id }, row);
    return url?.split('?')[0] === ours;
  });
  const wanted = own.map(({ events }) => JSON.parse(events ?? '[]') as string[]);
  // No list, or an empty one, means all.
  const isSent = wanted.length === 0 || wanted.some((events) => events.length === 0 || events.includes(event));
  return isSent ? fact.changed_at : undefined;
}
