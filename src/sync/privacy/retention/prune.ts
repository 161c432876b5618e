import { type Clock, turn } from '../../../kernel/clock.ts';
import { sourcesOf } from '../../../kernel/transitions.ts';
import { scanLife } from '../../tables/states.ts';
import { type Instant, instantOf } from '../../../kernel/dates.ts';
import { inList } from '../../../store/queries/inList.ts';
import type { MirrorStore, MirrorTrx } from '../../tables/database.ts';
import { rememberAged } from './agedConversations.ts';
import { raiseBound } from '../../feed/historyBounds.ts';
import { openConversations } from './openConversations.ts';
import { keepAnnounced } from './announcedRows.ts';

/** Rows deleted in one transaction, or examined for it. */
const BATCH = 500;
/** Conversations examined in one transaction. */
const CONVERSATIONS = 50;
const DAY_MS = 86_400_000;

/** The things that are stored for a limited time. */
type Kind = 'events' | 'changes' | 'versions' | 'messages' | 'scans';

/** Days for which finished things are stored; null: for ever. */
export type RetentionDays = Readonly<Record<Kind, number | null>>;

/** Returns the conversations among these in which an automation or a person still has something to do. */
export type ConversationsInUse = (
  trx: MirrorTrx,
  connection: string,
  conversations: readonly string[],
) => Promise<readonly string[]>;

/** The retention times, and the test for conversations that retain their texts at any age. */
export interface Retained {
  days: RetentionDays;
  inUse: ConversationsInUse;
}

export interface Pruning {
  store: MirrorStore;
  connection: string;
  clock: Clock;
  signal: AbortSignal;
}

/** The numbers of deleted things. */
type Pruned = Record<Kind, number>;

/**
 * Deletes finished things that are older than their retention, in small transactions with turns for others in between.
 * Anything that still waits stays, however old. Ids of events are never deleted.
 */
export async function prune(context: Pruning, { days, inUse }: Retained): Promise<Pruned> {
  const pruned: Pruned = { events: 0, changes: 0, versions: 0, messages: 0, scans: 0 };
  for (const kept of Object.keys(pruned) as Kind[]) {
    const limit = days[kept];
    if (limit === null) continue;
    const before = instantOf(context.clock.now() - limit * DAY_MS);
    for (const step of steps[kept]) pruned[kept] += await through(context, step, { before, inUse });
  }
  return pruned;
}

/** The position of a step, and the number of rows that it has deleted. */
interface Passed {
  next: string | number | undefined;
  gone: number;
}

/** Examines one batch behind a place, and deletes the due part of it. */
type Step = (
  trx: MirrorTrx,
  batch: { connection: string; after: string | number | undefined; before: Instant; inUse: ConversationsInUse },
) => Promise<Passed>;

async function through(
  { store, connection, signal }: Pruning,
  step: Step,
  due: { before: Instant; inUse: ConversationsInUse },
): Promise<number> {
  let total = 0;
  for (let after: string | number | undefined; !signal.aborted;) {
    const { next, gone } = await store.transaction((trx) => step(trx, { ...due, connection, after }));
    total += gone;
    if (next === undefined) break;
    after = next;
    await turn();
  }
  return total;
}

/** Deletes the payloads of events that no longer wait; the events themselves stay. */
const eventBodies: Step = async (trx, { connection, after, before }) => {
  const rows = await trx
    .selectFrom('inbox')
    .select(['event_id', 'state', 'received_at', (eb) => eb('body', 'is', null).as('bare')])
    .where('connection', '=', connection)
    .where('event_id', '>', String(after ?? ''))
    .orderBy('event_id')
    .limit(BATCH)
    .execute();
  const due = rows.filter((row) => row.state !== 'pending' && row.received_at < before && !row.bare);
  await trx
    .updateTable('inbox')
    .set({ body: null })
    .where('connection', '=', connection)
    .where((eb) =>
      inList(
        eb.ref('event_id'),
        due.map((row) => row.event_id),
      ),
    )
    .execute();
  if (due.length > 0) await raiseBound(trx, connection, 'events', before);
  return { next: rows.length === BATCH ? rows.at(-1)?.event_id : undefined, gone: due.length };
};

/** Deletes changes in their order, so that the rest of the feed has no holes. */
const changes: Step = async (trx, { connection, before }) => {
  const rows = await trx
    .selectFrom('changes')
    .select(['seq', 'at', 'resource', 'key', 'part', 'op'])
    .where('connection', '=', connection)
    .orderBy('seq')
    .limit(BATCH)
    .execute();
  const kept = rows.findIndex((row) => row.at >= before);
  const due = kept === -1 ? rows : rows.slice(0, kept);
  const last = due.at(-1)?.seq;
  if (last === undefined) return { next: undefined, gone: 0 };
  await keepAnnounced(trx, connection, due);
  for (const table of ['derived_events', 'lost_events', 'changes'] as const) {
    await trx.deleteFrom(table).where('connection', '=', connection).where('seq', '<=', last).execute();
  }
  await trx.deleteFrom('sync_hours').where('connection', '=', connection).where('hour', '<', before).execute();
  await raiseBound(trx, connection, 'changes', before);
  return { next: due.length === BATCH ? last : undefined, gone: due.length };
};

const versions: Step = async (trx, { connection, before }) => {
  const rows = await trx
    .selectFrom('versions')
    .select(['change_seq', 'valid_to'])
    .where('connection', '=', connection)
    .orderBy('change_seq')
    .limit(BATCH)
    .execute();
  const kept = rows.findIndex((row) => row.valid_to >= before);
  const due = kept === -1 ? rows : rows.slice(0, kept);
  const last = due.at(-1)?.change_seq;
  if (last === undefined) return { next: undefined, gone: 0 };
  await trx.deleteFrom('versions').where('connection', '=', connection).where('change_seq', '<=', last).execute();
  await raiseBound(trx, connection, 'versions', before);
  return { next: due.length === BATCH ? last : undefined, gone: due.length };
};

/** Deletes the history of nights, one calendar at a time: each has a small history of its own. */
const nights: Step = async (trx, { connection, after, before }) => {
  const [calendar] = await trx
    .selectFrom('availability_reads')
    .select('property_id')
    .where('connection', '=', connection)
    .where('property_id', '>', Number(after ?? -1))
    .orderBy('property_id')
    .limit(1)
    .execute();
  if (!calendar) return { next: undefined, gone: 0 };
  const { numDeletedRows } = await trx
    .deleteFrom('availability_history')
    .where('connection', '=', connection)
    .where('property_id', '=', calendar.property_id)
    .where('valid_to', '<', before)
    .executeTakeFirst();
  if (numDeletedRows > 0n) await raiseBound(trx, connection, 'versions', before);
  return { next: calendar.property_id, gone: Number(numDeletedRows) };
};

const calendarDays: Step = async (trx, { connection, after, before }) => {
  const [calendar] = await trx
    .selectFrom('calendar_reads')
    .select('listing')
    .where('connection', '=', connection)
    .where('listing', '>', String(after ?? ''))
    .orderBy('listing')
    .limit(1)
    .execute();
  if (!calendar) return { next: undefined, gone: 0 };
  const { numDeletedRows } = await trx
    .deleteFrom('calendar_history')
    .where('connection', '=', connection)
    .where('listing', '=', calendar.listing)
    .where('valid_to', '<', before)
    .executeTakeFirst();
  if (numDeletedRows > 0n) await raiseBound(trx, connection, 'versions', before);
  return { next: calendar.listing, gone: Number(numDeletedRows) };
};

/**
 * Deletes the old texts of messages in conversations that are over. From then on no read brings them back: see
 * erasure/forget.ts.
 */
const messageTexts: Step = async (trx, { connection, after, before, inUse }) => {
  const page = await trx
    .selectFrom('messages')
    .select('conversation_id')
    .where('connection', '=', connection)
    .where('conversation_id', '>', String(after ?? ''))
    .groupBy('conversation_id')
    .orderBy('conversation_id')
    .limit(CONVERSATIONS)
    .execute();
  const conversations = page.map((row) => row.conversation_id);
  const open = await openConversations(trx, connection, conversations, before);
  const used = new Set(await inUse(trx, connection, conversations));
  const over = conversations.filter((conversation) => !open.has(conversation) && !used.has(conversation));
  const old = await trx
    .selectFrom('messages')
    .select(['message', 'conversation_id'])
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('conversation_id'), over))
    .where('sent_at', '<', before)
    .execute();
  const conversationOf = new Map(old.map((row) => [row.message, row.conversation_id]));
  const gone = await trx
    .deleteFrom('personal_values')
    .where('connection', '=', connection)
    .where('resource', '=', 'message')
    .where((eb) => inList(eb.ref('row_key'), [...conversationOf.keys()]))
    .returning('row_key')
    .execute();
  const aged = new Set(gone.flatMap(({ row_key }) => conversationOf.get(row_key) ?? []));
  await rememberAged(trx, connection, aged, before);
  return { next: page.length === CONVERSATIONS ? conversations.at(-1) : undefined, gone: gone.length };
};

/** Deletes records of scans that are over; the last one of each resource stays, since `status` shows it. */
const scans: Step = async (trx, { connection, before }) => {
  const { numDeletedRows } = await trx
    .deleteFrom('scans')
    .where('connection', '=', connection)
    .where('state', 'in', sourcesOf(scanLife, 'prune'))
    .where('finished_at', '<', before)
    .where('scan_id', 'not in', (eb) =>
      eb
        .selectFrom('scans')
        .select((of) => of.fn.max('scan_id').as('scan_id'))
        .where('connection', '=', connection)
        .groupBy('resource'),
    )
    .executeTakeFirst();
  return { next: undefined, gone: Number(numDeletedRows) };
};

const steps: Readonly<Record<Kind, readonly Step[]>> = {
  events: [eventBodies],
  changes: [changes],
  versions: [versions, nights, calendarDays],
  messages: [messageTexts],
  scans: [scans],
};
