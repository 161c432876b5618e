import { conversation as contractConversation } from '../../../contract/conversations.ts';
import type { Answer, CallOptions, Client } from '../../../client/client.ts';
import type { Fields } from '../../../client/fields.ts';
import { type MirrorResource, type Page, type Reading, rowReader } from '../rows/resource.ts';
import { conversationStates } from './conversationStates.ts';
import { instantFrom, listText, plainDateFrom } from '../wireValues.ts';

/** A conversation without its messages, which are rows of their own. */
const conversation = contractConversation.omit({ messages: true }).meta({ family: 'conversation' });

const readRows = rowReader({
  schema: conversation,
  keyFields: ['conversation_id'],
  rowKey: (one) => one.conversation_id,
  key: (one) => one.conversation_id,
  columns(one, { zone }) {
    const { activities } = one;
    const [latest] = activities ?? [];
    const codes = activities?.flatMap(({ reservation_code }) => reservation_code ?? []);
    const properties = activities?.flatMap(({ property }) => property?.id ?? []);
    return {
      conversation_id: one.conversation_id,
      channel_type: one.channel_type,
      activities: activities?.length ?? null,
      reservation_codes: listText(codes && [...new Set(codes)]),
      property_ids: listText(properties && [...new Set(properties)]),
      check_in_date: plainDateFrom(latest?.check_in_date),
      check_out_date: plainDateFrom(latest?.check_out_date),
      note: one.note,
      note_updated_at: instantFrom(one.note_updated_at, zone),
    };
  },
});

/** Reads the conversation of an answer, without the messages that came with it. */
export function readAnswer({ data, raw, quarantined }: Answer<'getConversation'>, reading: Reading): Page {
  const rows = raw.map(({ messages: _, ...rest }): Fields => rest);
  return readRows([data], { raw: rows, quarantined }, reading);
}

/** Reads one conversation, with as few messages as can be requested. */
async function readConversation(client: Client, reading: Reading, key: string, options: CallOptions): Promise<Page> {
  return readAnswer(await client.call('getConversation', { conversation_id: key, limit: 1 }, options), reading);
}

export const conversations: MirrorResource = {
  name: 'conversation',
  table: 'conversations',
  keyColumn: 'conversation_id',
  groupColumn: 'conversation_id',
  keepsValues: true,
  sideTables: conversationStates,
  lookUp: readConversation,
};
