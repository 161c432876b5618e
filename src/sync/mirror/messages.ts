import { z } from 'zod';
import { GUEST, message } from '../../contract/conversations.ts';
import type { CallOptions, Client } from '../../client/client.ts';
import type { Fields } from '../../client/fields.ts';
import { readThread } from './conversations.ts';
import { type IncomingRow, type MirrorResource, type Page, type Reading, rowReader } from './resource.ts';
import { instantFrom } from './wireValues.ts';

/** The largest page v3 answers. */
const PAGE = 100;
/** So often is a thread read anew that changes while it is read. */
const ATTEMPTS = 3;

/** A message with the thread it stands in: its id is its own within that only. */
const messageOfThread = message.extend({ conversation_id: z.string() }).meta({ family: 'message' });

const readRows = rowReader({
  schema: messageOfThread,
  keyField: 'message_id',
  rowKey: (one) => placeIn(one.conversation_id, one.message_id),
  key: (one) => one.conversation_id,
  columns: (one, { zone }) => ({
    message: placeIn(one.conversation_id, one.message_id),
    conversation_id: one.conversation_id,
    message_id: one.message_id,
    sender_role: one.sender_role,
    display_type: one.display_type,
    attachments: one.attachments.length,
    sources: JSON.stringify(one.sources.map(({ type }) => type)),
    sent_at: instantFrom(one.timestamp, zone),
  }),
});

/** The key of something whose id is its own within a thread only. */
export function placeIn(conversationId: string, id: string): string {
  return `${encodeURIComponent(conversationId)}/${encodeURIComponent(id)}`;
}

interface ThreadPage {
  rows: readonly IncomingRow[];
  /** Messages answered. */
  answered: number;
  /** The thread itself, which comes with each page. */
  thread(): Page;
}

/** Messages of a thread from an offset on, newest first. */
async function readPage(
  client: Client,
  reading: Reading,
  { key, offset }: { key: string; offset: number },
  options: CallOptions,
): Promise<ThreadPage> {
  const input = { conversation_id: key, offset, limit: PAGE };
  const answer = await client.call('getConversation', input, options);
  const { data, raw } = answer;
  const given = raw[0]?.['messages'];
  const wire = Array.isArray(given) ? (given as Fields[]) : [];
  const inThread = (one: Fields): Fields => ({ conversation_id: key, ...one });
  const values = data.messages.map((one) => ({ ...one, conversation_id: key }));
  const { rows } = readRows(values, { raw: wire.map(inThread), quarantined: [] }, reading);
  return { rows, answered: data.messages.length, thread: () => readThread(answer, reading) };
}

/**
 * All messages of a thread, page by page, newest first, until `enough` says so. New ones push the others down, so
 * that some come twice; vanished ones would let others slip past, so each page begins with the last of the one before.
 * @returns false when something has slipped past
 */
export async function* threadPages(
  client: Client,
  reading: Reading,
  key: string,
  options: CallOptions,
): AsyncGenerator<ThreadPage, boolean> {
  let last: string | number | undefined;
  for (let offset = 0; ;) {
    const page = await readPage(client, reading, { key, offset }, options);
    const ids = page.rows.map((row) => row.rowKey);
    const isBroken = last !== undefined && !ids.includes(last);
    yield page;
    if (isBroken) return false;
    if (page.answered < PAGE) return true;
    last = ids.at(-1);
    offset += PAGE - 1;
  }
}

/** A thread as a whole, or as far as what is awaited of it. */
async function readMessages(
  client: Client,
  reading: Reading,
  key: string,
  options: CallOptions,
  awaited: ReadonlySet<string> = new Set(),
): Promise<Page> {
  for (let attempt = 1; ; attempt += 1) {
    const rows: IncomingRow[] = [];
    const left = new Set([...awaited].map((id) => placeIn(key, id)));
    const pages = threadPages(client, reading, key, options);
    for (;;) {
      const next = await pages.next();
      if (next.done) {
        if (!next.value && attempt < ATTEMPTS) break;
        const missing = [...awaited].filter((id) => left.has(placeIn(key, id)));
        return { rows, unfit: [], partial: !next.value, missing };
      }
      rows.push(...next.value.rows);
      for (const row of next.value.rows) left.delete(String(row.rowKey));
      if (awaited.size > 0 && left.size === 0) {
        const isEnd = next.value.answered < PAGE;
        return { rows, unfit: [], partial: !isEnd, missing: [] };
      }
    }
  }
}

/** Whether the host's side is to answer: only what a guest has said, whatever other roles there may be. */
function needsAnswer(raw: Fields): boolean {
  return raw['sender_role'] === GUEST;
}

export const messages: MirrorResource = {
  name: 'message',
  table: 'messages',
  keyColumn: 'message',
  groupColumn: 'conversation_id',
  keepsValues: true,
  lookUp: readMessages,
  awaits(event) {
    const id = event['message_id'];
    return typeof id === 'string' ? id : undefined;
  },
  needsAnswer,
  /** A message may be the first of its thread, and may come with a booking or an offer. */
  touches(raw) {
    const key = String(raw['conversation_id']);
    const offers = raw['display_type'] === 'SpecialOffer' ? [{ resource: 'special_offer', key }] : [];
    return [{ resource: 'conversation', key }, ...offers];
  },
};
