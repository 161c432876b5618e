import { GUEST } from '../../contract/conversations.ts';
import { instantOf } from '../../kernel/dates.ts';
import type { Change } from '../context.ts';
import type { StoredAttachment } from './present.ts';
import type { ConversationRow, MessageRow } from './rows.ts';
import { addMessage, changeConversation } from './table.ts';

/** Characters of the newest message that a list of conversations shows. */
const PREVIEW_LENGTH = 120;
/** Segmenter that keeps a character from being cut in two. */
const characters = new Intl.Segmenter();

/** A message to add to a conversation. Fields that are left out are empty. */
export interface MessageDraft extends Pick<MessageRow, 'sender_role' | 'display_type'> {
  sender_name?: string | null;
  content?: string;
  attachments?: readonly StoredAttachment[];
  sources?: readonly unknown[];
  channel_message_id?: string | null;
  /** Default: now. */
  sent_at?: string;
  posted?: boolean;
}

/**
 * Adds a message to a conversation and queues its event.
 * @returns its id; undefined when the conversation already holds the channel's message
 */
export async function writeMessage(
  change: Change,
  conversation: ConversationRow,
  draft: MessageDraft,
): Promise<string | undefined> {
  const { trx, core } = change;
  const { account_id, conversation_id } = conversation;
  const created_at = instantOf(change.now);
  const sent_at = draft.sent_at ?? created_at;
  const message_id = core.ids();
  const added = await addMessage(trx, {
    account_id,
    conversation_id,
    message_id,
    channel_message_id: draft.channel_message_id ?? null,
    posted: draft.posted ? 1 : 0,
    sender_role: draft.sender_role,
    sender_name: draft.sender_name ?? null,
    display_type: draft.display_type,
    content: draft.content ?? '',
    attachments: JSON.stringify(draft.attachments ?? []),
    sources: JSON.stringify(draft.sources ?? []),
    sent_at,
    created_at,
  });
  if (!added) return undefined;
  const isNewest = conversation.last_message_at === null || sent_at >= conversation.last_message_at;
  await changeConversation(trx, conversation, {
    unread_count: draft.sender_role === GUEST ? conversation.unread_count + 1 : 0,
    ...(isNewest && { last_message_at: sent_at, last_message: previewOf(draft) }),
  });
  change.emit({ event: 'message_created', conversation_id, message_id });
  return message_id;
}

function previewOf({ content = '', attachments = [] }: MessageDraft): string {
  const text = content === '' ? (attachments[0]?.name ?? '') : content;
  const line = text.replaceAll(/\s+/g, ' ').trim();
  let end = 0;
  for (const { index, segment } of characters.segment(line.slice(0, 2 * PREVIEW_LENGTH))) {
    if (index + segment.length > PREVIEW_LENGTH) break;
    end = index + segment.length;
  }
  return line.slice(0, end);
}
