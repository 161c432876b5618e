import type { DisplayType } from '../../contract/conversations.ts';
import { GUEST, HOST } from '../../contract/conversations.ts';
import { type Instant, instantOf, type PlainDate } from '../../kernel/dates.ts';
import type { AccountId, ReservationCode } from '../../kernel/ids.ts';
import type { Change } from '../context.ts';
import type { CoreTransaction } from '../database.ts';
import { linkConversation } from '../reservations/link.ts';
import type { StoredAttachment } from './present.ts';
import type { ConversationRow } from './rows.ts';
import {
  addConversation,
  addInquiry,
  changeConversation,
  findByChannelMessage,
  findByChannelName,
  lockConversation,
  nameMessage,
} from './table.ts';
import { type MessageDraft, writeMessage } from './write.ts';

/** A conversation as a channel announces it. */
export interface IncomingConversation {
  channel_type: string;
  /** The channel's own name of the conversation. The same name is the same conversation. */
  channel_thread_id: string;
  guest: { name?: string | null; email?: string | null; phone?: string | null };
  /** Dates that the guest asks for. Each call with an inquiry adds it. */
  inquiry?: {
    listing_id: string;
    /** 0: the listing belongs to no property. */
    property_id: number;
    check_in_date: PlainDate;
    check_out_date: PlainDate;
    number_of_guests: number;
  };
}

/** Opens a conversation, or finds the one of that name and stores new data of its guest. @returns conversation_id */
export async function receiveConversation(change: Change, incoming: IncomingConversation): Promise<string> {
  const { trx, account, core } = change;
  const { channel_type, channel_thread_id, guest, inquiry } = incoming;
  const created_at = instantOf(change.now);
  const isNew = await addConversation(trx, {
    account_id: account.account_id,
    conversation_id: core.ids(),
    channel_type,
    channel_thread_id,
    guest_name: guest.name ?? null,
    guest_email: guest.email ?? null,
    guest_phone: guest.phone ?? null,
    last_message_at: null,
    last_message: '',
    unread_count: 0,
    note: null,
    note_updated_at: null,
    created_at,
  });
  const row = await findByChannelName(trx, { account_id: account.account_id, channel_type, channel_thread_id });
  if (!row) throw new Error(`conversation ${channel_thread_id} of ${channel_type} cannot be found`);
  const { account_id, conversation_id } = row;
  if (!isNew) {
    await changeConversation(trx, row, {
      guest_name: guest.name ?? row.guest_name,
      guest_email: guest.email ?? row.guest_email,
      guest_phone: guest.phone ?? row.guest_phone,
    });
  }
  if (inquiry) await addInquiry(trx, { account_id, conversation_id, ...inquiry, created_at });
  change.audit('receiveConversation', conversation_id);
  return conversation_id;
}

/** Links a reservation to a conversation. A conversation can be about several reservations. */
export function linkReservation(change: Change, conversationId: string, code: ReservationCode): Promise<void> {
  return linkConversation(change, code, conversationId);
}

/** A message as a channel announces it. */
export interface IncomingMessage {
  conversation_id: string;
  channel_message_id: string;
  sender_name?: string | null;
  content?: string;
  /** Attachments that the channel stores, at its own addresses, or pictures that were stored here. */
  attachments?: readonly StoredAttachment[];
  display_type?: DisplayType;
  /** Default: now. */
  sent_at?: Instant;
  /** Our own id, when the channel names the message that it echoes. */
  echo_of?: string;
}

/** Stores a message of the guest. @returns its message_id; on a repeat by the channel that of the first time */
export function receiveGuestMessage(change: Change, incoming: IncomingMessage): Promise<string> {
  return receive(change, incoming, GUEST);
}

/** Stores a message that the host wrote in the channel's own app, or the channel's echo of a message sent from here. */
export function receiveHostMessage(change: Change, incoming: IncomingMessage): Promise<string> {
  return receive(change, incoming, HOST);
}

async function receive(change: Change, incoming: IncomingMessage, role: string): Promise<string> {
  const { trx, account } = change;
  const { conversation_id, channel_message_id, echo_of, ...rest } = incoming;
  const conversation = await lockConversation(trx, conversation_id);
  if (conversation?.account_id !== account.account_id) throw new Error(`there is no conversation ${conversation_id}`);
  const known = await findByChannelMessage(trx, conversation, channel_message_id);
  if (known) return known.message_id;
  const echoed =
    echo_of !== undefined &&
    (await nameMessage(trx, {
      accountId: account.account_id,
      messageId: echo_of,
      channelMessageId: channel_message_id,
    }));
  if (echoed) return echo_of;
  const content = rest.content ?? '';
  const draft: MessageDraft = {
    ...rest,
    channel_message_id,
    sender_role: role,
    sender_name: rest.sender_name ?? nameOf(conversation, role),
    display_type: rest.display_type ?? (content === '' ? 'FileAttachment' : 'Text'),
  };
  const messageId = await writeMessage(change, conversation, draft);
  if (messageId === undefined) throw new Error(`message ${channel_message_id} is known and cannot be found`);
  change.audit('receiveMessage', `${conversation_id}/${messageId}`);
  return messageId;
}

function nameOf(conversation: ConversationRow, role: string): string | null {
  return role === GUEST ? conversation.guest_name : null;
}

/** Stores the channel's id of a message that it has just accepted, unless its echo came first. */
export async function nameSentMessage(
  trx: CoreTransaction,
  accountId: AccountId,
  messageId: string,
  channelMessageId: string,
): Promise<void> {
  await nameMessage(trx, { accountId, messageId, channelMessageId });
}
