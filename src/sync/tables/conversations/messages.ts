import { z } from 'zod';
import { GUEST, message } from '../../../contract/conversations.ts';
import type { CallOptions, Client } from '../../../client/client.ts';
import type { Fields } from '../../../client/fields.ts';
import { PAGE_ROWS } from '../rows/allPages.ts';
import { conversationStates } from './conversationStates.ts';
import { readAnswer } from './conversations.ts';
import {
  type IncomingRow,
  type MirrorResource,
  type Page,
  type Reading,
  rowReader,
  textIn,
  type UnreadableRow,
} from '../rows/resource.ts';
import { instantFrom, listText } from '../wireValues.ts';

/** The number of attempts at a conversation that changes while it is read. */
const ATTEMPTS = 3;

/** A message with its conversation: its id is unique within that conversation only. */
const messageOfConversation = message.extend({ conversation_id: z.string() }).meta({ family: 'message' });

const readRows = rowReader({
  schema: messageOfConversation,
  keyFields: ['message_id', 'conversation_id'],
  rowKey: (one) => placeIn(one.conversation_id, one.message_id),
  key: (one) => one.conversation_id,
  columns: (one, { zone }) => ({
    message: placeIn(one.conversation_id, one.message_id),
    conversation_id: one.conversation_id,
    message_id: one.message_id,
    sender_role: one.sender_role,
    display_type: one.display_type,
    attachments: one.attachments?.length ?? null,
    sources: listText(one.sources?.map(({ type }) => type)),
    sent_at: instantFrom(one.timestamp, zone),
  }),
});

/** Returns the key of something whose id is unique within a conversation only. */
export function placeIn(conversationId: string, id: string): string {
  return `${encodeURIComponent(conversationId)}/${encodeURIComponent(id)}`;
}

interface ConversationPage extends Page {
  /** The number of messages in the answer. */
  answered: number;
  /** Returns the conversation itself, which comes with each page. */
  conversation(): Page;
}

/** Reads messages of a conversation from an offset on, newest first. */
async function readPage(
  client: Client,
  reading: Reading,
  { key, offset }: { key: string; offset: number },
  options: CallOptions,
): Promise<ConversationPage> {
  const input = { conversation_id: key, offset, limit: PAGE_ROWS };
  const answer = await client.call('getConversation', input, options);
  const given = answer.raw[0]?.['messages'];
  const wire = (Array.isArray(given) ? (given as unknown[]) : []).filter(
    (one) => typeof one === 'object' && one !== null,
  );
  const values = (answer.data.messages ?? []).map((one) => ({ ...one, conversation_id: key }));
  const raw = wire.map((one): Fields => ({ conversation_id: key, ...one }));
  const page = readRows(values, { raw, quarantined: [] }, reading);
  return { ...page, answered: values.length, conversation: () => readAnswer(answer, reading) };
}

/**
 * Yields all messages of a conversation, page by page, newest first. New messages push the others down, so some come
 * twice. Vanished ones would let others slip past, so each page begins with the last message of the one before. A page
 * without a new message is the last: some deployments ignore which page is requested.
 * @returns false if a message has slipped past
 */
export async function* conversationPages(
  client: Client,
  reading: Reading,
  key: string,
  options: CallOptions,
): AsyncGenerator<ConversationPage, boolean> {
  const seen = new Set<string | number>();
  let last: string | number | undefined;
  for (let offset = 0; ;) {
    const page = await readPage(client, reading, { key, offset }, options);
    const ids = [...page.rows.map((row) => row.rowKey), ...page.quarantined.map((row) => row.key)];
    const isBroken = last !== undefined && !ids.includes(last);
    const known = seen.size;
    for (const id of ids) seen.add(id);
    if (offset > 0 && seen.size === known) return true;
    yield page;
    if (isBroken) return false;
    if (page.answered < PAGE_ROWS || isWhole(page.answered)) return true;
    last = ids.at(-1);
    offset += PAGE_ROWS - 1;
  }
}

/**
 * Returns true for more messages than requested, and no round number of them: no limit is heeded, and all have come.
 */
function isWhole(answered: number): boolean {
  return answered > PAGE_ROWS && answered % 10 !== 0;
}

/** Reads a whole conversation, or as far as the awaited messages. */
async function readMessages(
  client: Client,
  reading: Reading,
  key: string,
  options: CallOptions,
  awaited: ReadonlySet<string> = new Set(),
): Promise<Page> {
  for (let attempt = 1; ; attempt += 1) {
    const rows: IncomingRow[] = [];
    const quarantined: UnreadableRow[] = [];
    const left = new Set([...awaited].map((id) => placeIn(key, id)));
    const pages = conversationPages(client, reading, key, options);
    for (;;) {
      const next = await pages.next();
      if (next.done) {
        if (!next.value && attempt < ATTEMPTS) break;
        const missing = [...awaited].filter((id) => left.has(placeIn(key, id)));
        return { rows, quarantined, partial: !next.value, missing };
      }
      rows.push(...next.value.rows);
      quarantined.push(...next.value.quarantined);
      for (const row of next.value.rows) left.delete(String(row.rowKey));
      if (awaited.size > 0 && left.size === 0) {
        const isEnd = next.value.answered < PAGE_ROWS;
        return { rows, quarantined, partial: !isEnd, missing: [] };
      }
    }
  }
}

/** Returns true if the host's side owes an answer: only for messages of guests, whatever other roles exist. */
function needsAnswer(raw: Fields): boolean {
  return raw['sender_role'] === GUEST;
}

export const messages: MirrorResource = {
  name: 'message',
  table: 'messages',
  keyColumn: 'message',
  groupColumn: 'conversation_id',
  keepsValues: true,
  textsAge: true,
  sideTables: conversationStates,
  lookUp: readMessages,
  awaits(event) {
    return textIn(event, 'message_id');
  },
  needsAnswer,
  /** A message may be the first of its conversation, and may come with a reservation or an offer. */
  touches(raw) {
    const key = String(raw['conversation_id']);
    const offers = raw['display_type'] === 'SpecialOffer' ? [{ resource: 'special_offer', key }] : [];
    return [{ resource: 'conversation', key }, ...offers];
  },
};
