import type { z } from 'zod';
import type {
  attachment,
  conversationEntry,
  message,
  messageSource,
  conversation,
} from '../../contract/conversations.ts';
import { withOffset } from '../../kernel/dates.ts';
import type { Activity } from './activities.ts';
import type { ConversationRow, MessageRow } from './rows.ts';
import type { ShownProperty } from './shown.ts';

/** A stored attachment: the token of a picture stored here, or the address of one that a channel stores. */
export type StoredAttachment = z.output<typeof attachment> | { type: string; name: string; token: string };

/** Path of pictures stored here. */
export const ATTACHMENT_PATH = '/attachments';

const guestOf = (row: ConversationRow) => ({ name: row.guest_name, email: row.guest_email, phone: row.guest_phone });

/** Returns the public form of a conversation in a list. */
export function presentEntry(
  row: ConversationRow,
  activities: readonly Activity[],
  zone: string,
): z.output<typeof conversationEntry> {
  const [latest] = activities;
  return {
    conversation_id: row.conversation_id,
    channel_type: row.channel_type,
    last_message_at: row.last_message_at && withOffset(row.last_message_at, zone),
    last_message: row.last_message,
    unread_count: row.unread_count,
    guest: guestOf(row),
    property_title: latest?.property_name ?? null,
    check_in_date: latest?.check_in_date ?? null,
    check_out_date: latest?.check_out_date ?? null,
  };
}

/** Returns the public form of a conversation with its messages. */
export function presentConversation(
  row: ConversationRow,
  activities: readonly Activity[],
  messages: readonly MessageRow[],
  { zone, publicUrl, shown }: { zone: string; publicUrl: string; shown: (activity: Activity) => ShownProperty },
): z.output<typeof conversation> {
  return {
    conversation_id: row.conversation_id,
    channel_type: row.channel_type,
    guest: guestOf(row),
    activities: activities.map((one) => presentActivity(one, shown(one))),
    messages: messages.map((one) => presentMessage(one, zone, publicUrl)),
    note: row.note,
    note_updated_at: row.note_updated_at && withOffset(row.note_updated_at, zone),
  };
}

function presentActivity(one: Activity, shown: ShownProperty): z.output<typeof conversation>['activities'][number] {
  const { activity_type, reservation_code, check_in_date, check_out_date, listing_id } = one;
  const property = one.property_name === null ? null : { id: one.property_id, name: one.property_name, ...shown };
  return { activity_type, reservation_code, check_in_date, check_out_date, listing_id, property };
}

function presentMessage(row: MessageRow, zone: string, publicUrl: string): z.output<typeof message> {
  const attachments = JSON.parse(row.attachments) as StoredAttachment[];
  return {
    message_id: row.message_id,
    sender_role: row.sender_role,
    sender_name: row.sender_name,
    display_type: row.display_type,
    content: row.content,
    attachments: attachments.map(({ type, name, ...where }) => ({
      type,
      url: 'token' in where ? `${publicUrl}${ATTACHMENT_PATH}/${where.token}` : where.url,
      name,
    })),
    timestamp: withOffset(row.sent_at, zone),
    sources: JSON.parse(row.sources) as z.output<typeof messageSource>[],
  };
}
