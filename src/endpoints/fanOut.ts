import { instantOf } from '../kernel/dates.ts';
import { next } from '../kernel/transitions.ts';
import { messageLife } from './states.ts';
import { sha256Hex } from '../kernel/signature.ts';
import type { EndpointMessagesTable, EndpointsTable } from './tables.ts';
import type { Change } from '../sync/feed/feed.ts';
import type { EndpointsContext } from './context.ts';
import { wantedKinds } from './kinds.ts';
import { changeEndpoint, lockActive, putMessages } from './table.ts';

/** Number of changes in one transaction. */
const BATCH = 100;

/**
 * Makes messages of the changes after the cursors. Messages and cursors commit together.
 * @returns the number of new messages, and `more` if further changes wait
 */
export async function fanOut({
  store,
  connection,
  feed,
  clock,
}: EndpointsContext): Promise<{ more: boolean; made: number }> {
  const from = await firstCursor(store.db, connection);
  if (from === undefined) return { more: false, made: 0 };
  const changes = await feed.read(from, BATCH);
  const last = changes.at(-1);
  if (!last) return { more: false, made: 0 };
  const at = instantOf(clock.now());
  const made = await store.transaction(async (trx) => {
    let count = 0;
    for (const endpoint of await lockActive(trx, connection)) {
      if (endpoint.cursor >= last.seq) continue;
      const rows = changes
        .filter(({ seq }) => seq > endpoint.cursor)
        .flatMap((change) => messagesOf(endpoint, change, at));
      await putMessages(trx, rows, { again: false, at });
      await changeEndpoint(trx, endpoint, { cursor: last.seq });
      count += rows.length;
    }
    return count;
  });
  return { more: changes.length === BATCH, made };
}

async function firstCursor(db: EndpointsContext['store']['db'], connection: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('endpoints')
    .select((of) => of.fn.min('cursor').as('cursor'))
    .where('connection', '=', connection)
    .where('state', '=', 'active')
    .executeTakeFirst();
  return row?.cursor ?? undefined;
}

/** Returns the messages of one change for an endpoint. */
export function messagesOf(
  { connection, endpoint_id, kinds }: EndpointsTable,
  change: Change,
  at: string,
): EndpointMessagesTable[] {
  return wantedKinds(JSON.parse(kinds) as string[], change).map((kind) => ({
    connection,
    message_id: messageId(connection, endpoint_id, change.seq, kind),
    endpoint_id,
    seq: change.seq,
    kind,
    resource: change.resource,
    key: change.key,
    state: next(messageLife, null, 'make'),
    attempts: 0,
    next_at: at,
    claimed_until: null,
    outcome: null,
    http_status: null,
    created_at: at,
    ended_at: null,
  }));
}

/** Returns an id derived from the content, so a receiver recognises a repeat even after a rebuild of the mirror. */
function messageId(connection: string, endpointId: string, seq: number, kind: string): string {
  return `msg_${sha256Hex(JSON.stringify([connection, endpointId, seq, kind])).slice(0, 32)}`;
}
