import type { Kysely } from 'kysely';
import type { Instant } from '../kernel/dates.ts';
import { next } from '../kernel/transitions.ts';
import { messageLife, type MessageTrigger } from './states.ts';
import { forUpdateSkipLocked } from '../store/queries/forUpdateSkipLocked.ts';
import { inList } from '../store/queries/inList.ts';
import { prepared } from '../store/queries/prepared.ts';
import type { Mirror, MirrorDb, MirrorTrx } from '../sync/tables/database.ts';
import type { EndpointAttemptsTable, EndpointMessagesTable, EndpointsTable } from './tables.ts';

type Db = Kysely<Mirror>;

export function allEndpoints(db: MirrorDb, connection: string): Promise<EndpointsTable[]> {
  return db
    .selectFrom('endpoints')
    .selectAll()
    .where('connection', '=', connection)
    .orderBy('created_at')
    .orderBy('endpoint_id')
    .execute();
}

export function endpointById(
  db: MirrorDb,
  connection: string,
  endpointId: string,
): Promise<EndpointsTable | undefined> {
  return db
    .selectFrom('endpoints')
    .selectAll()
    .where('connection', '=', connection)
    .where('endpoint_id', '=', endpointId)
    .executeTakeFirst();
}

/** Returns the active endpoints, locked until the transaction ends. */
export function lockActive(trx: MirrorTrx, connection: string): Promise<EndpointsTable[]> {
  return trx
    .selectFrom('endpoints')
    .selectAll()
    .where('connection', '=', connection)
    .where('state', '=', 'active')
    .orderBy('endpoint_id')
    .forUpdate()
    .execute();
}

export function lockEndpoint(
  trx: MirrorTrx,
  connection: string,
  endpointId: string,
): Promise<EndpointsTable | undefined> {
  return trx
    .selectFrom('endpoints')
    .selectAll()
    .where('connection', '=', connection)
    .where('endpoint_id', '=', endpointId)
    .forUpdate()
    .executeTakeFirst();
}

export async function changeEndpoint(
  trx: MirrorDb,
  { connection, endpoint_id }: Pick<EndpointsTable, 'connection' | 'endpoint_id'>,
  changes: Partial<EndpointsTable>,
): Promise<void> {
  await trx
    .updateTable('endpoints')
    .set(changes)
    .where('connection', '=', connection)
    .where('endpoint_id', '=', endpoint_id)
    .execute();
}

/** Deletes an endpoint and all its messages. */
export async function removeEndpoint(trx: MirrorTrx, connection: string, endpointId: string): Promise<void> {
  await trx
    .deleteFrom('endpoint_attempts')
    .where('connection', '=', connection)
    .where('message_id', 'in', (of) =>
      of
        .selectFrom('endpoint_messages')
        .select('message_id')
        .where('connection', '=', connection)
        .where('endpoint_id', '=', endpointId),
    )
    .execute();
  for (const table of ['endpoint_messages', 'endpoints'] as const) {
    await trx.deleteFrom(table).where('connection', '=', connection).where('endpoint_id', '=', endpointId).execute();
  }
}

/** Returns the first state of a message that is sent again. */
function afresh(at: Instant) {
  return {
    state: next(messageLife, 'dead', 'send_again'),
    attempts: 0,
    next_at: at,
    claimed_until: null,
    ended_at: null,
  };
}

/** Stores messages. Leaves existing ones as they are, or sends them again with `again`. */
export async function putMessages(
  trx: MirrorTrx,
  rows: readonly EndpointMessagesTable[],
  { again, at }: { again: boolean; at: Instant },
): Promise<void> {
  if (rows.length === 0) return;
  await trx
    .insertInto('endpoint_messages')
    .values([...rows])
    .onConflict((conflict) => {
      const same = conflict.columns(['connection', 'message_id']);
      return again ? same.doUpdateSet(afresh(at)) : same.doNothing();
    })
    .execute();
}

export async function sendAgain(
  db: MirrorDb,
  message: { connection: string; endpointId: string; messageId: string; at: Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('endpoint_messages')
    .set(afresh(message.at))
    .where('connection', '=', message.connection)
    .where('endpoint_id', '=', message.endpointId)
    .where('message_id', '=', message.messageId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

interface Due {
  connection: string;
  endpointId: string;
  now: Instant;
}

/** Selects due messages with no earlier waiting message about the same key. */
function dueMessages(db: Db, { connection, endpointId, now }: Due) {
  return db
    .selectFrom('endpoint_messages as message')
    .selectAll('message')
    .where('message.connection', '=', connection)
    .where('message.endpoint_id', '=', endpointId)
    .where('message.state', '=', 'waiting')
    .where('message.next_at', '<=', now)
    .where((eb) => eb.or([eb('message.claimed_until', 'is', null), eb('message.claimed_until', '<=', now)]))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('endpoint_messages as earlier')
            .select('earlier.message_id')
            .where('earlier.connection', '=', connection)
            .where('earlier.endpoint_id', '=', endpointId)
            .where('earlier.state', '=', 'waiting')
            .whereRef('earlier.resource', '=', 'message.resource')
            .whereRef('earlier.key', '=', 'message.key')
            .where((of) =>
              of.or([
                of('earlier.seq', '<', of.ref('message.seq')),
                of.and([
                  of('earlier.seq', '=', of.ref('message.seq')),
                  of('earlier.message_id', '<', of.ref('message.message_id')),
                ]),
              ]),
            ),
        ),
      ),
    )
    .orderBy('message.seq')
    .orderBy('message.message_id');
}

/** Claims due messages until `until`. No other process can take them before then. */
export async function claimDue(
  trx: MirrorTrx,
  due: Due & { until: Instant; limit: number },
): Promise<EndpointMessagesTable[]> {
  const rows = await forUpdateSkipLocked(dueMessages(trx, due).limit(due.limit)).execute();
  if (rows.length === 0) return rows;
  await trx
    .updateTable('endpoint_messages')
    .set({ claimed_until: due.until })
    .where('connection', '=', due.connection)
    .where((eb) =>
      inList(
        eb.ref('message_id'),
        rows.map((row) => row.message_id),
      ),
    )
    .execute();
  return rows;
}

/** Releases all claims. One process owns a SQLite store, so an earlier claim means nothing. */
export async function dropClaims(db: MirrorDb, connection: string): Promise<void> {
  await db
    .updateTable('endpoint_messages')
    .set({ claimed_until: null })
    .where('connection', '=', connection)
    .where('claimed_until', 'is not', null)
    .execute();
}

const firstDue = prepared((db: Db, arg: { connection: string; endpointId: string }) =>
  db
    .selectFrom('endpoint_messages')
    .select((of) => of.fn.min('next_at').as('at'))
    .where('connection', '=', arg.connection)
    .where('endpoint_id', '=', arg.endpointId)
    .where('state', '=', 'waiting'),
);

/** Returns the time of the first waiting message; undefined if none waits. */
export async function nextDue(db: Db, connection: string, endpointId: string): Promise<Instant | undefined> {
  const [row] = await firstDue(db, { connection, endpointId });
  return row?.at ?? undefined;
}

/**
 * Ends an attempt to send a message.
 * @throws IllegalTransition if it was not waiting when it was claimed
 */
export async function endMessage(
  trx: MirrorTrx,
  { connection, message_id, state: before }: EndpointMessagesTable,
  trigger: MessageTrigger,
  changes: Omit<Partial<EndpointMessagesTable>, 'state'> = {},
): Promise<void> {
  const state = next(messageLife, before, trigger);
  await trx
    .updateTable('endpoint_messages')
    .set({ claimed_until: null, ...changes, ...(state !== before && { state }) })
    .where('connection', '=', connection)
    .where('message_id', '=', message_id)
    .execute();
}

/** Adds an attempt. A message that is sent again continues its numbers. */
export async function addAttempt(trx: MirrorTrx, attempt: Omit<EndpointAttemptsTable, 'attempt'>): Promise<void> {
  const { connection, message_id } = attempt;
  const { last } = await trx
    .selectFrom('endpoint_attempts')
    .select((of) => of.fn.max('attempt').as('last'))
    .where('connection', '=', connection)
    .where('message_id', '=', message_id)
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('endpoint_attempts')
    .values({ ...attempt, attempt: Number(last ?? 0) + 1 })
    .execute();
}

interface LogQuestion {
  connection: string;
  endpointId: string;
  state?: EndpointMessagesTable['state'] | undefined;
  limit: number;
}

/** Returns the newest messages of an endpoint, each with the outcome of every request. */
export async function messageLog(db: MirrorDb, question: LogQuestion) {
  const messages = await db
    .selectFrom('endpoint_messages')
    .selectAll()
    .where('connection', '=', question.connection)
    .where('endpoint_id', '=', question.endpointId)
    .$if(question.state !== undefined, (query) => query.where('state', '=', question.state ?? 'waiting'))
    .orderBy('seq', 'desc')
    .orderBy('message_id', 'desc')
    .limit(question.limit)
    .execute();
  if (messages.length === 0) return [];
  const attempts = await db
    .selectFrom('endpoint_attempts')
    .selectAll()
    .where('connection', '=', question.connection)
    .where((eb) =>
      inList(
        eb.ref('message_id'),
        messages.map((row) => row.message_id),
      ),
    )
    .orderBy('attempt')
    .execute();
  return messages.map(({ connection: _, claimed_until: _claim, endpoint_id: _endpoint, ...message }) => ({
    ...message,
    log: attempts
      .filter((one) => one.message_id === message.message_id)
      .map(({ at, outcome, http_status, ms }) => ({ at, outcome, http_status, ms })),
  }));
}

/** Counts the messages of each endpoint by state. */
export function messageCounts(db: MirrorDb, connection: string) {
  return db
    .selectFrom('endpoint_messages')
    .select((of) => ['endpoint_id', 'state', of.fn.countAll<number>().as('messages')])
    .where('connection', '=', connection)
    .groupBy(['endpoint_id', 'state'])
    .execute();
}

/** Counts the messages that wait for each endpoint. */
export async function waitingMessages(
  db: MirrorDb,
  connection: string,
): Promise<[endpointId: string, messages: number][]> {
  const rows = await db
    .selectFrom('endpoints as endpoint')
    .where('endpoint.connection', '=', connection)
    .select((of) => [
      'endpoint.endpoint_id',
      of
        .selectFrom('endpoint_messages as message')
        .whereRef('message.connection', '=', 'endpoint.connection')
        .whereRef('message.endpoint_id', '=', 'endpoint.endpoint_id')
        .where('message.state', '=', 'waiting')
        .select((count) => count.fn.countAll<number>().as('messages'))
        .as('messages'),
    ])
    .orderBy('endpoint.endpoint_id')
    .execute();
  return rows.map(({ endpoint_id, messages }) => [endpoint_id, Number(messages)]);
}

/** Returns the endpoints that take nothing, each with the first failure since its last success. */
export async function endpointsOutOfReach(
  db: MirrorDb,
  connection: string,
): Promise<[endpointId: string, since: Instant][]> {
  const rows = await allEndpoints(db, connection);
  return rows.flatMap(({ endpoint_id, failing_since: since }) => (since === null ? [] : [[endpoint_id, since]]));
}

/**
 * Deletes messages that ended before this moment.
 * @returns the number of deleted messages, at most `limit`
 */
export async function pruneMessages(
  trx: MirrorTrx,
  { connection, before, limit }: { connection: string; before: Instant; limit: number },
): Promise<number> {
  const rows = await trx
    .selectFrom('endpoint_messages')
    .select('message_id')
    .where('connection', '=', connection)
    .where('ended_at', '<', before)
    .limit(limit)
    .execute();
  if (rows.length === 0) return 0;
  const ids = rows.map((row) => row.message_id);
  for (const table of ['endpoint_attempts', 'endpoint_messages'] as const) {
    await trx
      .deleteFrom(table)
      .where('connection', '=', connection)
      .where((eb) => inList(eb.ref('message_id'), ids))
      .execute();
  }
  return rows.length;
}
