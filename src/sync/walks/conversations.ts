import { offerChannels } from '../../contract/specialOffers.ts';
import { CallError } from '../../client/callError.ts';
import { conversations, readConversation } from '../mirror/conversations.ts';
import { messages, threadPages } from '../mirror/messages.ts';
import type { MirrorResource, Page } from '../mirror/resource.ts';
import { readOffers, specialOffers } from '../mirror/specialOffers.ts';
import { PAGE_ROWS } from './list.ts';
import { type Asking, numbered, type Step, type Walk } from './walk.ts';

interface ListedThread {
  id: string;
  channelType: string;
}

/**
 * Every thread once. The list has the newest message first, so a thread that is written to while it is read moves to
 * its front: what is missed then has an event, and what is known and missed is looked up by itself.
 */
async function* listedThreads(asking: Asking): AsyncGenerator<ListedThread> {
  const seen = new Set<string>();
  for (let offset = 0; ; offset += PAGE_ROWS - 1) {
    const { answer } = await numbered(asking, (options) =>
      asking.client.call('listConversations', { offset, limit: PAGE_ROWS }, options),
    );
    for (const { conversation_id: id, channel_type: channelType } of answer.data.conversations) {
      if (seen.has(id)) continue;
      seen.add(id);
      yield { id, channelType };
    }
    const answered = answer.data.conversations.length + answer.quarantined.length;
    if (answered === 0 || offset + answered >= answer.data.total) return;
  }
}

async function countThreads({ client, purpose, signal }: Asking): Promise<number> {
  return (await client.call('listConversations', { limit: 1 }, { purpose, signal })).data.total;
}

/** A thread that was listed a moment ago and is gone now has nothing to show. */
async function orGone<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof CallError && error.code === 404) return undefined;
    throw error;
  }
}

function step(resource: MirrorResource, page: Page, number: number, rows = page.rows.length): Step {
  return { rows, visit: (visitor) => visitor.rows(resource, page, number) };
}

/** Each thread by itself: the list shows neither what it is about nor its note. */
export const conversationsWalk: Walk = {
  resource: conversations.name,
  rows: conversations,
  cost: (rows) => rows + Math.ceil(rows / (PAGE_ROWS - 1)) + 1,
  async *steps(asking) {
    let total = 0;
    for await (const { id } of listedThreads(asking)) {
      const read = await orGone(
        numbered(asking, (options) => readConversation(asking.client, asking.reading, id, options)),
      );
      if (!read) continue;
      total += 1;
      yield step(conversations, read.answer, read.number);
    }
    return { total };
  },
  count: countThreads,
};

/** How many messages a thread has, as a rule; only for telling a storm from calm weather. */
const MESSAGES_PER_THREAD = 10;

/** All messages of all threads. */
export const messagesWalk: Walk = {
  resource: messages.name,
  rows: messages,
  cost: (rows) => Math.ceil(rows / MESSAGES_PER_THREAD) + 1,
  async *steps(asking) {
    let total = 0;
    for await (const { id } of listedThreads(asking)) {
      const seen = new Set<string | number>();
      let number = 0;
      const beforeSend = async () => {
        number = await asking.numbers.take();
        asking.onSend();
      };
      const options = { purpose: asking.purpose, signal: asking.signal, beforeSend };
      const pages = threadPages(asking.client, asking.reading, id, options);
      for (;;) {
        const page = await orGone(pages.next());
        if (!page || page.done) break;
        const { rows } = page.value;
        const known = seen.size;
        for (const row of rows) seen.add(row.rowKey);
        yield step(messages, { rows, unfit: [] }, number, seen.size - known);
      }
      total += seen.size;
    }
    return { total };
  },
};

/** The offers of all threads in which there can be some: no event tells of their end. */
export const specialOffersWalk: Walk = {
  resource: specialOffers.name,
  rows: specialOffers,
  cost: (rows) => rows + 1,
  async *steps(asking) {
    let total = 0;
    for await (const { id, channelType } of listedThreads(asking)) {
      if (!offerChannels.includes(channelType)) continue;
      const read = await orGone(numbered(asking, (options) => readOffers(asking.client, asking.reading, id, options)));
      if (!read) continue;
      total += read.answer.rows.length;
      yield step(specialOffers, read.answer, read.number);
    }
    return { total };
  },
};
