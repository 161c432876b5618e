import type { Fields } from '../../../client/fields.ts';
import type { KnownData } from '../../../client/readData.ts';
import type { Data } from '../../../contract/index.ts';
import { offerChannels } from '../../../contract/specialOffers.ts';
import { msOf } from '../../../kernel/dates.ts';
import { sha256Hex } from '../../../kernel/signature.ts';
import { askThread, goneAmong, type ThreadMemory } from './goneThreads.ts';
import { conversations } from '../../tables/conversations/conversations.ts';
import { messages, threadPages } from '../../tables/conversations/messages.ts';
import type { MirrorResource, Page } from '../../tables/rows/resource.ts';
import { readOffers, specialOffers } from '../../tables/conversations/specialOffers.ts';
import { instantFrom } from '../../tables/wireValues.ts';
import { type Cursor, type ListEntry, type ListPage, PAGE_ROWS, walkList } from '../list.ts';
import { sizeOf } from '../sizeOf.ts';
import { type Asking, numbered, type Step, type Walk } from '../walk.ts';

interface ListedThread {
  id: string;
  channelType: string | null;
  /** When its newest message was sent; null: it has none, or nobody says. */
  at: string | null;
}

/**
 * Every thread once. The list has the newest message first, so a thread that is written to while it is read moves to
 * its front: what is missed then has an event, and what is known and missed is looked up by itself.
 */
async function* listedThreads(asking: Asking): AsyncGenerator<ListedThread> {
  const seen = new Set<string>();
  const fetch = async ({ offset }: Cursor): Promise<ListPage<ListedThread & ListEntry>> => {
    const { answer, number } = await numbered(asking, (options) =>
      asking.client.call('listConversations', { offset, limit: PAGE_ROWS }, options),
    );
    const entries = answer.data.conversations.map((one, index) => listedThread(one, answer.raw[index]));
    return { page: { rows: [], unfit: [] }, number, entries, total: answer.data.total };
  };
  for await (const { entries } of walkList({ first: { bound: '', offset: 0 }, fetch, isBrokenOff: true })) {
    const gone = await goneAmong(
      memoryOf(asking),
      entries.map(({ id }) => id),
    );
    for (const one of entries) {
      if (one.id === '' || seen.has(one.id)) continue;
      seen.add(one.id);
      // Listed, and lately not there: unless it was written to since, it is not asked for again.
      const goneAt = gone.get(one.id);
      if (goneAt !== undefined && !(one.at !== null && Date.parse(one.at) > goneAt)) continue;
      yield one;
    }
  }
}

/** One that nothing names cannot be asked for, and is known by what it is. */
function listedThread(one: ListedEntry, raw: Fields | undefined): ListedThread & ListEntry {
  const { conversation_id: id, channel_type: channelType, last_message_at: at } = one;
  return { id: id ?? '', key: id ?? sha256Hex(JSON.stringify(raw)), channelType, at };
}

type ListedEntry = KnownData<Data<'listConversations'>>['conversations'][number];

function countThreads({ client, purpose, signal }: Asking): Promise<number | null> {
  return sizeOf(async (offset, limit) => {
    const { data } = await client.call('listConversations', { offset, limit }, { purpose, signal });
    return { total: data.total, keys: data.conversations.map((one) => String(one.conversation_id)) };
  });
}

/** A thread that was listed a moment ago and is gone now has nothing to show. */
function orGone<T>(asking: Asking, thread: string, answer: Promise<T>): Promise<T | undefined> {
  return askThread(memoryOf(asking), thread, answer);
}

function memoryOf({ db, reading, clock }: Asking): ThreadMemory {
  return { db, connection: reading.connection, nowMs: clock.now() };
}

function step(resource: MirrorResource, page: Page, number: number, rows = page.rows.length): Step {
  return { rows, visit: (visitor) => visitor.rows(resource, page, number) };
}

/** How many messages a thread has, as a rule; only for telling a storm from calm weather. */
const MESSAGES_PER_THREAD = 10;

/** A thread, and all its messages, which come with it. */
async function* threadSteps(asking: Asking, id: string): AsyncGenerator<Step, number> {
  const seen = new Set<string | number>();
  let number = 0;
  const beforeSend = async () => {
    number = await asking.numbers.take();
    asking.onSend();
  };
  const options = { purpose: asking.purpose, signal: asking.signal, beforeSend };
  const pages = threadPages(asking.client, asking.reading, id, options);
  for (let isFirst = true; ; isFirst = false) {
    const page = await orGone(asking, id, pages.next());
    if (!page || page.done) return seen.size;
    const { rows, unfit, thread } = page.value;
    if (isFirst) yield step(conversations, thread(), number, 0);
    const known = seen.size;
    for (const row of rows) seen.add(row.rowKey);
    yield step(messages, { rows, unfit, beside: [conversations.name] }, number, seen.size - known);
  }
}

/** All threads with all their messages, each thread by one request where its messages fit on a page. */
export const threadsWalk: Walk = {
  resource: messages.name,
  rows: messages,
  also: [conversations],
  cost: (rows) => Math.ceil(rows / MESSAGES_PER_THREAD) + 1,
  async *steps(asking, bookmark) {
    const cut = bookmark as ThreadsBookmark | undefined;
    let total = 0;
    for await (const { id, at } of listedThreads(asking)) {
      // The newest first: whatever stands above the bookmark was read, or has been written to since and has an event.
      if (cut && isAbove({ id, at }, cut)) continue;
      for await (const one of threadSteps(asking, id)) {
        total += one.rows;
        yield { ...one, bookmark: { id, at } satisfies ThreadsBookmark };
      }
    }
    return { total };
  },
  counts: conversations,
  count: countThreads,
};

/** The thread that was being read when a walk was cut off. */
interface ThreadsBookmark {
  id: string;
  at: string | null;
}

function isAbove({ id, at }: ThreadsBookmark, cut: ThreadsBookmark): boolean {
  return id !== cut.id && at !== null && (cut.at === null || at > cut.at);
}

/** How far back the list of threads is compared when it was never compared before. */
const FIRST_BACK_MS = 30 * 24 * 60 * 60_000;
/** And how far beyond what was compared last: moments of messages come from channels with clocks of their own. */
const OVERLAP_MS = 60 * 60_000;

/** The threads that have a message newer than those that are known; the list has the newest first, so it is soon over. */
export const newestMessagesWalk: Walk = {
  resource: messages.name,
  part: 'newest',
  rows: messages,
  cost: () => 1,
  scope: () => null,
  async *steps(asking) {
    const since = (asking.since ?? asking.clock.now() - FIRST_BACK_MS) - OVERLAP_MS;
    let total = 0;
    for await (const { id, at: told } of listedThreads(asking)) {
      const at = instantFrom(told, asking.reading.zone);
      if (at !== null && msOf(at) < since) break;
      if (at === null || (await newestKnown(asking, id)) === at) continue;
      total += yield* threadSteps(asking, id);
    }
    return { total };
  },
};

async function newestKnown({ db, reading }: Asking, conversation: string): Promise<string | null> {
  const row = await db
    .selectFrom('messages')
    .select((of) => of.fn.max('sent_at').as('at'))
    .where('connection', '=', reading.connection)
    .where('conversation_id', '=', conversation)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row?.at ?? null;
}

/** Threads of a channel that nobody names may have some. */
function mayHaveOffers(channelType: string | null): boolean {
  return channelType === null || offerChannels.includes(channelType);
}

/** The offers of all threads in which there can be some, for whoever does not know the threads yet. */
export const listedOffersWalk = offersWalk(undefined, async function* (asking) {
  for await (const { id, channelType } of listedThreads(asking)) if (mayHaveOffers(channelType)) yield id;
});

const THREADS_AT_ONCE = 500;

/** The offers of all threads that are known and can have some: no event tells of their end. */
export const specialOffersWalk = offersWalk(undefined, async function* (asking) {
  const { db, reading } = asking;
  for (let after: string | undefined = ''; after !== undefined;) {
    const threads: { conversation_id: string; channel_type: string | null }[] = await db
      .selectFrom('conversations')
      .select(['conversation_id', 'channel_type'])
      .where('connection', '=', reading.connection)
      .where('deleted_at', 'is', null)
      .where('conversation_id', '>', after)
      .orderBy('conversation_id')
      .limit(THREADS_AT_ONCE)
      .execute();
    const able = threads.filter((one) => mayHaveOffers(one.channel_type)).map((one) => one.conversation_id);
    const gone = await goneAmong(memoryOf(asking), able);
    yield* able.filter((id) => !gone.has(id));
    after = threads.length === THREADS_AT_ONCE ? threads.at(-1)?.conversation_id : undefined;
  }
});

/** The offers of threads in which one is known to be open. */
export const openOffersWalk = offersWalk('open', async function* ({ db, reading }) {
  const rows = await db
    .selectFrom('special_offers')
    .select('conversation_id')
    .distinct()
    .where('connection', '=', reading.connection)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .orderBy('conversation_id')
    .execute();
  for (const row of rows) yield row.conversation_id;
});

function offersWalk(part: string | undefined, threads: (asking: Asking) => AsyncIterable<string>): Walk {
  return {
    resource: specialOffers.name,
    ...(part !== undefined && { part, scope: () => null }),
    rows: specialOffers,
    cost: (rows) => rows + 1,
    async *steps(asking) {
      let total = 0;
      for await (const id of threads(asking)) {
        const read = await orGone(
          asking,
          id,
          numbered(asking, (options) => readOffers(asking.client, asking.reading, id, options)),
        );
        if (!read) continue;
        total += read.answer.rows.length;
        yield step(specialOffers, read.answer, read.number);
      }
      return { total };
    },
  };
}
