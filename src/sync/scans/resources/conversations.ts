import type { Fields } from '../../../client/fields.ts';
import type { KnownData } from '../../../client/readData.ts';
import type { Data } from '../../../contract/index.ts';
import { offerChannels } from '../../../contract/specialOffers.ts';
import { msOf } from '../../../kernel/dates.ts';
import { sha256Hex } from '../../../kernel/signature.ts';
import { askConversation, goneAmong, type ConversationMemory } from './goneConversations.ts';
import { conversations } from '../../tables/conversations/conversations.ts';
import { messages, conversationPages } from '../../tables/conversations/messages.ts';
import type { MirrorResource, Page } from '../../tables/rows/resource.ts';
import { readOffers, specialOffers } from '../../tables/conversations/specialOffers.ts';
import { instantFrom } from '../../tables/wireValues.ts';
import { type Cursor, type ListEntry, type ListPage, PAGE_ROWS, scanList } from '../list.ts';
import { sizeOf } from '../sizeOf.ts';
import { type Asking, numbered, type Step, type Scan } from '../scan.ts';

interface ListedConversation {
  id: string;
  channelType: string | null;
  /** The moment of its newest message; null: it has none, or the moment is unknown. */
  at: string | null;
}

/**
 * Yields every conversation once. The list has the newest message first, so a conversation with a new message moves to
 * its front during the read. A missed new one has an event, and a missed known one is looked up by itself.
 */
async function* listedConversations(asking: Asking): AsyncGenerator<ListedConversation> {
  const seen = new Set<string>();
  const fetch = async ({ offset }: Cursor): Promise<ListPage<ListedConversation & ListEntry>> => {
    const { answer, number } = await numbered(asking, (options) =>
      asking.client.call('listConversations', { offset, limit: PAGE_ROWS }, options),
    );
    const entries = answer.data.conversations.map((one, index) => listedConversation(one, answer.raw[index]));
    return { page: { rows: [], quarantined: [] }, number, entries, total: answer.data.total };
  };
  for await (const { entries } of scanList({ first: { bound: '', offset: 0 }, fetch, isBrokenOff: true })) {
    const gone = await goneAmong(
      memoryOf(asking),
      entries.map(({ id }) => id),
    );
    for (const one of entries) {
      if (one.id === '' || seen.has(one.id)) continue;
      seen.add(one.id);
      // It is listed, but was lately missing: it is not requested again unless it has a newer message.
      const goneAt = gone.get(one.id);
      if (goneAt !== undefined && !(one.at !== null && Date.parse(one.at) > goneAt)) continue;
      yield one;
    }
  }
}

/** Returns a conversation of the list. One without an id cannot be requested; its content serves as its key. */
function listedConversation(one: ListedEntry, raw: Fields | undefined): ListedConversation & ListEntry {
  const { conversation_id: id, channel_type: channelType, last_message_at: at } = one;
  return { id: id ?? '', key: id ?? sha256Hex(JSON.stringify(raw)), channelType, at };
}

type ListedEntry = KnownData<Data<'listConversations'>>['conversations'][number];

function countConversations({ client, purpose, signal }: Asking): Promise<number | null> {
  return sizeOf(async (offset, limit) => {
    const { data } = await client.call('listConversations', { offset, limit }, { purpose, signal });
    return { total: data.total, keys: data.conversations.map((one) => String(one.conversation_id)) };
  });
}

/** Resolves to undefined for a conversation that was just listed and is now gone. */
function orGone<T>(asking: Asking, conversation: string, answer: Promise<T>): Promise<T | undefined> {
  return askConversation(memoryOf(asking), conversation, answer);
}

function memoryOf({ db, reading, clock }: Asking): ConversationMemory {
  return { db, connection: reading.connection, nowMs: clock.now() };
}

function step(resource: MirrorResource, page: Page, number: number, rows = page.rows.length): Step {
  return { rows, visit: (visitor) => visitor.rows(resource, page, number) };
}

/** The usual number of messages in a conversation; only for telling a burst from idle. */
const MESSAGES_PER_CONVERSATION = 10;

/** Reads a conversation with all its messages, which come with it. */
async function* conversationSteps(asking: Asking, id: string): AsyncGenerator<Step, number> {
  const seen = new Set<string | number>();
  let number = 0;
  const beforeSend = async () => {
    number = await asking.numbers.take();
    asking.onSend();
  };
  const options = { purpose: asking.purpose, signal: asking.signal, beforeSend };
  const pages = conversationPages(asking.client, asking.reading, id, options);
  for (let isFirst = true; ; isFirst = false) {
    const page = await orGone(asking, id, pages.next());
    if (!page || page.done) return seen.size;
    const { rows, quarantined, conversation } = page.value;
    if (isFirst) yield step(conversations, conversation(), number, 0);
    const known = seen.size;
    for (const row of rows) seen.add(row.rowKey);
    yield step(messages, { rows, quarantined, beside: [conversations.name] }, number, seen.size - known);
  }
}

/** Reads all conversations with all their messages, by one request each where the messages fit on a page. */
export const conversationsScan: Scan = {
  resource: messages.name,
  rows: messages,
  also: [conversations],
  cost: (rows) => Math.ceil(rows / MESSAGES_PER_CONVERSATION) + 1,
  async *steps(asking, bookmark) {
    const cut = bookmark as ConversationsBookmark | undefined;
    let total = 0;
    for await (const { id, at } of listedConversations(asking)) {
      // The newest come first: a conversation above the bookmark was read, or has a newer message and an event.
      if (cut && isAbove({ id, at }, cut)) continue;
      for await (const one of conversationSteps(asking, id)) {
        total += one.rows;
        yield { ...one, bookmark: { id, at } satisfies ConversationsBookmark };
      }
    }
    return { total };
  },
  counts: conversations,
  count: countConversations,
};

/** The position of an interrupted scan: the conversation that was being read. */
interface ConversationsBookmark {
  id: string;
  at: string | null;
}

function isAbove({ id, at }: ConversationsBookmark, cut: ConversationsBookmark): boolean {
  return id !== cut.id && at !== null && (cut.at === null || at > cut.at);
}

/** The time that the list of conversations is compared back when it was never compared before. */
const FIRST_BACK_MS = 30 * 24 * 60 * 60_000;
/** The overlap with the last comparison, since the moments of messages come from channels with clocks of their own. */
const OVERLAP_MS = 60 * 60_000;

/**
 * Reads the conversations that have a newer message than the mirror knows. The list has the newest first, so the scan
 * is short.
 */
export const newestMessagesScan: Scan = {
  resource: messages.name,
  part: 'newest',
  rows: messages,
  cost: () => 1,
  scope: () => null,
  async *steps(asking) {
    const since = (asking.since ?? asking.clock.now() - FIRST_BACK_MS) - OVERLAP_MS;
    let total = 0;
    for await (const { id, at: given } of listedConversations(asking)) {
      const at = instantFrom(given, asking.reading.zone);
      if (at !== null && msOf(at) < since) break;
      if (at === null || (await newestKnown(asking, id)) === at) continue;
      total += yield* conversationSteps(asking, id);
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

/** Returns true if a channel can have offers. Conversations without a named channel may have some. */
function mayHaveOffers(channelType: string | null): boolean {
  return channelType === null || offerChannels.includes(channelType);
}

/**
 * Reads the offers of all listed conversations that can have some, for a mirror that does not know the conversations
 * yet.
 */
export const listedOffersScan = offersScan(undefined, async function* (asking) {
  for await (const { id, channelType } of listedConversations(asking)) if (mayHaveOffers(channelType)) yield id;
});

const CONVERSATIONS_AT_ONCE = 500;

/** Reads the offers of all known conversations that can have some: no event announces their end. */
export const specialOffersScan = offersScan(undefined, async function* (asking) {
  const { db, reading } = asking;
  for (let after: string | undefined = ''; after !== undefined;) {
    const conversations: { conversation_id: string; channel_type: string | null }[] = await db
      .selectFrom('conversations')
      .select(['conversation_id', 'channel_type'])
      .where('connection', '=', reading.connection)
      .where('deleted_at', 'is', null)
      .where('conversation_id', '>', after)
      .orderBy('conversation_id')
      .limit(CONVERSATIONS_AT_ONCE)
      .execute();
    const able = conversations.filter((one) => mayHaveOffers(one.channel_type)).map((one) => one.conversation_id);
    const gone = await goneAmong(memoryOf(asking), able);
    yield* able.filter((id) => !gone.has(id));
    after = conversations.length === CONVERSATIONS_AT_ONCE ? conversations.at(-1)?.conversation_id : undefined;
  }
});

/** Reads the offers of conversations with an open one. */
export const openOffersScan = offersScan('open', async function* ({ db, reading }) {
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

function offersScan(part: string | undefined, conversations: (asking: Asking) => AsyncIterable<string>): Scan {
  return {
    resource: specialOffers.name,
    ...(part !== undefined && { part, scope: () => null }),
    rows: specialOffers,
    cost: (rows) => rows + 1,
    async *steps(asking) {
      let total = 0;
      for await (const id of conversations(asking)) {
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
