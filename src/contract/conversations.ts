import { z } from 'zod';
import { channelType, listOf, nextCursor, none, nothing, openEnum, paging, shownDate, timestamp } from './fields.ts';
import { operation } from './operation.ts';

/** Sender type of the guest. Every other sender is on the host's side; the set of types is open. */
export const GUEST = 'guest';
/** Sender type of the host. */
export const HOST = 'host';
/** An activity about dates that are not reserved. */
export const INQUIRY = 'inquiry';
const displayTypes = [
  'Text',
  'Box',
  'FileAttachment',
  'RequestToBook',
  'BsRequestBook',
  'SpecialOffer',
  'ReservationAlteration',
  'HouseLinkCard',
] as const;
/** Form in which a message is displayed. The set is open. */
export type DisplayType = (typeof displayTypes)[number];
const sourceTypes = ['checkin_guide', 'automation_reply', 'host_knowledge', 'thread', 'host_assistant'] as const;
/** Characters of a conversation's note. */
export const NOTE_LENGTH = 5_000;
/** Most characters of one message. */
export const MESSAGE_LENGTH = 20_000;
/** Messages that a read of a conversation returns when the caller sets no limit. */
const CONVERSATION_MESSAGES = 50;
/** Most bytes of a body with a picture. */
export const MESSAGE_BODY_BYTES = 16 * 1_048_576;

const personalText = z.string().nullable().meta({ personal: true });
const conversationId = z.string().describe('The conversation; opaque.');

/** The guest of a conversation. All fields are personal. */
export const conversationGuest = z
  .object({ name: personalText, email: personalText, phone: personalText })
  .meta({ schemaName: 'ConversationGuest' });

/** A conversation as lists show it, with a shortened last message. */
export const conversationEntry = z
  .object({
    conversation_id: z.string(),
    channel_type: channelType,
    last_message_at: timestamp.nullable(),
    last_message: z.string().describe('The newest message, shortened.').meta({ personal: true }),
    unread_count: z.int(),
    guest: conversationGuest,
    property_title: z.string().nullable(),
    check_in_date: shownDate.nullable(),
    check_out_date: shownDate.nullable(),
  })
  .meta({ family: 'conversation', schemaName: 'ConversationEntry' });

const activity = z
  .object({
    activity_type: openEnum([INQUIRY, 'reservation']),
    reservation_code: z.string().nullable(),
    check_in_date: shownDate.nullable(),
    check_out_date: shownDate.nullable(),
    listing_id: z.string(),
    property: z
      .object({
        id: z.int(),
        name: z.string(),
        cover_url: z.string().nullable(),
        room_type: z
          .object({ id: z.int(), name: z.string() })
          .meta({ family: 'room_type', schemaName: 'ActivityRoomType' })
          .nullable()
          .meta({ assumed: true }),
      })
      .meta({ family: 'property', schemaName: 'ActivityProperty' })
      .nullable(),
  })
  .meta({ schemaName: 'ConversationActivity' });

/** A file sent with a message. */
export const attachment = z
  .object({ type: z.string(), url: z.string(), name: z.string() })
  .meta({ schemaName: 'Attachment' });

/** The source that an automatic message was made from, with the documents behind it. */
export const messageSource = z
  .object({
    type: openEnum(sourceTypes),
    docs: z.array(
      z
        .object({
          title: z.string(),
          fragment: z.array(z.string()),
          source_type: z.string(),
          link_id: z.string().nullable(),
        })
        .meta({ schemaName: 'MessageSourceDocument' }),
    ),
  })
  .meta({ schemaName: 'MessageSource' });

/** One message of a conversation. */
export const message = z
  .object({
    message_id: z.string(),
    sender_role: openEnum([GUEST, HOST], 'sender_role').describe('Anything but guest is the host’s side.'),
    sender_name: personalText,
    display_type: openEnum(displayTypes),
    content: z.string().describe('Empty for a mere attachment.').meta({ personal: true }),
    attachments: z.array(attachment).meta({ personal: true }),
    timestamp,
    sources: z.array(messageSource).describe('What an automatic message was made from; empty for human ones.'),
  })
  .meta({ family: 'message', schemaName: 'Message' });

/** A conversation with its messages. */
export const conversation = z
  .object({
    conversation_id: z.string(),
    channel_type: channelType,
    guest: conversationGuest,
    activities: z.array(activity),
    messages: z.array(message),
    note: z.string().nullable(),
    note_updated_at: timestamp.nullable(),
    next_cursor: nextCursor,
  })
  .meta({ family: 'conversation', schemaName: 'Conversation' });

/** Lists conversations, the one with the newest message first. */
export const listConversations = operation({
  method: 'GET',
  path: '/conversations',
  params: none,
  query: z.object(paging),
  body: null,
  data: listOf('conversations', conversationEntry),
  scope: 'read',
  rate: 'default',
  tool: { name: 'search_conversations', category: 'messaging' },
  since: '3.2.0',
  summary: 'Conversations with guests, the one with the newest message first.',
  example: { limit: 50 },
  errors: [],
  emits: [],
});

/** Returns one conversation with its messages, newest first. Reading does not mark messages as read. */
export const getConversation = operation({
  method: 'GET',
  path: '/conversations/{conversation_id}',
  params: z.object({ conversation_id: conversationId }),
  query: z.object({
    offset: paging.offset,
    limit: z.int().min(1).max(100).default(CONVERSATION_MESSAGES).describe('Messages to answer, 100 at most.'),
    cursor: paging.cursor,
  }),
  body: null,
  data: conversation,
  scope: 'read',
  rate: 'default',
  tool: { name: 'get_conversation', category: 'messaging' },
  since: '3.2.0',
  summary: 'One conversation with its messages, newest first.',
  notes: 'offset or cursor, and limit, page the messages. Reading does not mark them as read.',
  example: { conversation_id: 'T12', limit: 20 },
  errors: [403, 404],
  emits: [],
});

/**
 * Sends a text, a picture or both to the guest. The operation is not idempotent: after a time-out a caller reads the
 * conversation before it sends again.
 */
export const sendMessage = operation({
  method: 'POST',
  path: '/conversations/{conversation_id}',
  params: z.object({ conversation_id: conversationId }),
  query: none,
  body: z
    .object({
      message: z.string().max(MESSAGE_LENGTH).optional(),
      jpeg_base64: z.string().min(1).optional().describe('A JPEG picture, base64.'),
    })
    .refine((body) => (body.message ?? '').trim() !== '' || body.jpeg_base64 !== undefined, {
      path: ['message'],
      error: 'is required unless jpeg_base64 is given',
    }),
  data: nothing,
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'send_message', category: 'messaging' },
  since: '3.2.0',
  summary: 'Sends a text, a picture or both to the guest; cannot be undone.',
  notes: 'Not idempotent: after a time-out, read the conversation before sending again. Limited per conversation.',
  example: { conversation_id: 'T12', message: 'The key is in the box.' },
  errors: [400, 403, 404],
  emits: ['message_created'],
});

/** Sets the host's private note on a conversation. The guest never sees it. */
export const updateConversationNote = operation({
  method: 'PATCH',
  path: '/conversations/{conversation_id}/note',
  params: z.object({ conversation_id: conversationId }),
  query: none,
  body: z.object({ note: z.string().max(NOTE_LENGTH).nullable().describe('Empty or null clears it.') }),
  data: z
    .object({ conversation_id: z.string(), note: z.string().nullable(), updated_at: timestamp })
    .meta({ family: 'conversation' }),
  scope: 'write',
  rate: 'default',
  tool: { name: 'update_conversation_note', category: 'messaging' },
  since: '3.5.0',
  summary: 'Sets the host’s private note on a conversation; never sent to anybody.',
  example: { conversation_id: 'T12', note: 'Arrives late.' },
  errors: [403, 404],
  emits: [],
});
