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
  /** When its newest message was sent; null: it has none, or nobody says. */
  at: string | null;
}

/**
 * Every conversation once. The list has the newest message first, so a conversation that is written to while it is read moves to
 * its front: what is missed then has an event, and what is known and missed is looked up by itself.
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
      // Listed, and lately not there: unless it was written to since, it is not asked for again.
      const goneAt = gone.get(one.id);
      if (goneAt !== undefined && !(one.at !== null && Date.parse(one.at) > goneAt)) continue;
      yield one;
    }
  }
}

/** One that nothing names cannot be asked for, and is known by what it is. */
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

/** A conversation that was listed a moment ago and is gone now has nothing to show. */
function orGone<T>(asking: Asking, conversation: string, answer: Promise<T>): Promise<T | undefined> {
  return askConversation(memoryOf(asking), conversation, answer);
}

function memoryOf({ db, reading, clock }: Asking): ConversationMemory {
  return { db, connection: reading.connection, nowMs: clock.now() };
}

function step(resource: MirrorResource, page: Page, number: number, rows = page.rows.length): Step {
  return { rows, visit: (visitor) => visitor.rows(resource, page, number) };
}

/** How many messages a conversation has, as a rule; only for telling a burst from idle. */
const MESSAGES_PER_CONVERSATION = 10;

/** A conversation, and all its messages, which come with it. */
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

/** All conversations with all their messages, each conversation by one request where its messages fit on a page. */
export const conversationsScan: Scan = {
  resource: messages.name,
  rows: messages,
  also: [conversations],
  cost: (rows) => Math.ceil(rows / MESSAGES_PER_CONVERSATION) + 1,
  async *steps(asking, bookmark) {
    const cut = bookmark as ConversationsBookmark | undefined;
    let total = 0;
    for await (const { id, at } of listedConversations(asking)) {
      // The newest first: whatever stands above the bookmark was read, or has been written to since and has an event.
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

/** The conversation that was being read when a scan was cut off. */
interface ConversationsBookmark {
  id: string;
  at: string | null;
}

function isAbove({ id, at }: ConversationsBookmark, cut: ConversationsBookmark): boolean {
  return id !== cut.id && at !== null && (cut.at === null || at > cut.at);
}

/** How far back the list of conversations is compared when it was never compared before. */
const FIRST_BACK_MS = 30 * 24 * 60 * 60_000;
/** And how far beyond what was compared last: moments of messages come from channels with clocks of their own. */
const OVERLAP_MS = 60 * 60_000;

/** The conversations that have a message newer than those that are known; the list has the newest first, so it is soon over. */
export const newestMessagesScan: Scan = {
  resource: messages.name,
  part: 'newest',
  rows: messages,
  cost: () => 1,
  scope: () => null,
  async *steps(asking) {
    const since = (asking.since ?? asking.clock.now() - FIRST_BACK_MS) - OVERLAP_MS;
    let total = 0;
    for await (const { id, at: told } of listedConversations(asking)) {
      const at = instantFrom(told, asking.reading.zone);
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

/** Conversations of a channel that nobody names may have some. */
function mayHaveOffers(channelType: string | null): boolean {
  return channelType === null || offerChannels.includes(channelType);
}

/** The offers of all conversations in which there can be some, for whoever does not know the conversations yet. */
export const listedOffersScan = offersScan(undefined, async function* (asking) {
  for await (const { id, channelType } of listedConversations(asking)) if (mayHaveOffers(channelType)) yield id;
});

const CONVERSATIONS_AT_ONCE = 500;

/** The offers of all conversations that are known and can have some: no event tells of their end. */
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

/** The offers of conversations in which one is known to be open. */
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
