import type { Fields } from '../client/fields.ts';
import { inList } from '../store/queries/inList.ts';
import type { MirrorDb } from '../sync/tables/database.ts';
import { statesOfChange } from '../sync/feed/asOf/changeStates.ts';
import type { EndpointMessagesTable, EndpointsTable } from './tables.ts';
import type { Change, Feed } from '../sync/feed/feed.ts';
import { textIn } from '../sync/tables/rows/resource.ts';
import { withPersons } from '../sync/privacy/withPersons.ts';
import { PING } from './kinds.ts';

/**
 * Returns the body of a message; null if the change does not concern the endpoint, undefined if the change is no longer
 * stored.
 */
export async function payloadOf(
  { db, feed }: { db: MirrorDb; feed: Feed },
  endpoint: EndpointsTable,
  message: EndpointMessagesTable,
): Promise<string | null | undefined> {
  if (message.kind === PING) {
    return JSON.stringify({ type: PING, timestamp: message.created_at, data: { endpoint_id: endpoint.endpoint_id } });
  }
  const [change] = await feed.read(message.seq - 1, 1);
  if (change?.seq !== message.seq) return undefined;
  const states = await statesOfChange(db, change);
  if (!(await concerns(db, endpoint, change, states?.after ?? states?.before ?? null))) return null;
  const after = states?.after && endpoint.persons === 1 ? await complete(db, change, states.after) : states?.after;
  return JSON.stringify({
    type: message.kind,
    timestamp: change.at,
    data: {
      connection: change.connection,
      seq: change.seq,
      resource: change.resource,
      key: change.key,
      part: change.part,
      op: change.op,
      seen_by: change.seen_by,
      ...(states && { before: states.before, after }),
      diff: change.diff === null ? null : (JSON.parse(change.diff) as unknown),
      derived_events: change.derived_events,
    },
  });
}

function complete(db: MirrorDb, change: Change, raw: Fields): Promise<Fields> {
  const { connection, resource, key, part } = change;
  return withPersons(db, { connection, resource, rowKey: part ?? key }, raw);
}

/** Returns true if a change concerns a property of the endpoint. A change without a property does not. */
async function concerns(
  db: MirrorDb,
  { property_ids }: EndpointsTable,
  change: Change,
  row: Fields | null,
): Promise<boolean> {
  if (property_ids === null) return true;
  const wanted = new Set(JSON.parse(property_ids) as number[]);
  return (await propertiesOf(db, change, row)).some((id) => wanted.has(id));
}

async function propertiesOf(db: MirrorDb, change: Change, row: Fields | null): Promise<number[]> {
  const { connection, resource, key } = change;
  if (resource === 'property' || resource === 'availability') return [Number(key)];
  if (resource === 'calendar' || resource === 'listing') return propertiesOfListing(db, connection, key);
  const property = Number(row?.['property_id'] ?? undefined);
  if (Number.isSafeInteger(property)) return [property];
  const code = row ? textIn(row, 'reservation_code') : undefined;
  const codes =
    code !== undefined ? [code] : await reservationsOfConversation(db, connection, row?.['conversation_id'] ?? key);
  if (codes.length === 0) return [];
  const stays = await db
    .selectFrom('stays')
    .select('property_id')
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('reservation_code'), codes))
    .execute();
  return stays.flatMap((stay) => stay.property_id ?? []);
}

async function propertiesOfListing(db: MirrorDb, connection: string, listing: string): Promise<number[]> {
  const links = await db
    .selectFrom('property_listings')
    .select('property_id')
    .where('connection', '=', connection)
    .where('listing', '=', listing)
    .execute();
  return links.map((link) => link.property_id);
}

/**
 * Returns the reservations of a conversation. Conversations, their messages and offers share the conversation as key.
 */
async function reservationsOfConversation(db: MirrorDb, connection: string, conversation: unknown): Promise<string[]> {
  const row = await db
    .selectFrom('conversations')
    .select('reservation_codes')
    .where('connection', '=', connection)
    .where('conversation_id', '=', String(conversation))
    .executeTakeFirst();
  return JSON.parse(row?.reservation_codes ?? '[]') as string[];
}
