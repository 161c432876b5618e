import { HOST } from '../../contract/conversations.ts';
import { postToChannel } from '../channels/posts/queue.ts';
import type { Change } from '../context.ts';
import type { StoredAttachment } from './present.ts';
import type { ConversationRow } from './rows.ts';
import { type MessageDraft, writeMessage } from './write.ts';

/** A message of the host's side. Its pictures are stored here. */
interface HostMessage extends Pick<MessageDraft, 'sender_name' | 'sources' | 'posted'> {
  content: string;
  attachments?: readonly (StoredAttachment & { token: string })[];
  /** True if a rule has written it. */
  automatic?: boolean;
}

/** Adds a message of the host's side to a conversation and queues it for the channel. @returns its id */
export async function sendToGuest(
  change: Change,
  conversation: ConversationRow,
  { content, attachments = [], automatic = false, ...more }: HostMessage,
): Promise<string> {
  const message_id = await writeMessage(change, conversation, {
    ...more,
    sender_role: HOST,
    display_type: content === '' ? 'FileAttachment' : 'Text',
    content,
    attachments,
  });
  if (message_id === undefined) throw new Error('a message without a channel’s id cannot be known already');
  const { account_id, channel_type, channel_thread_id, conversation_id } = conversation;
  const tokens = attachments.map(({ token }) => token);
  await postToChannel(change, {
    account_id,
    channel_type,
    lane: conversation_id,
    payload: {
      kind: 'message',
      thread: channel_thread_id,
      message_id,
      content,
      attachments: tokens,
      ...(automatic && { automatic }),
    },
  });
  return message_id;
}
