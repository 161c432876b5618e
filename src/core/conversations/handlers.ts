import { instantOf, msOf, withOffset } from '../../kernel/dates.ts';
import { invalid } from '../../kernel/errors.ts';
import type { Change, Handler } from '../context.ts';
import { closePage, pageOf } from '../cursor.ts';
import { limitConversation, LONGEST_CONVERSATION_WINDOW_MS } from '../limits/conversations.ts';
import { activitiesOf } from './activities.ts';
import { keepPicture } from './attachments.ts';
import { readJpeg } from '../pictures/jpeg.ts';
import { MOST_PIXELS } from '../pictures/picture.ts';
import { presentEntry, presentConversation } from './present.ts';
import { lockForChange, requireConversation } from './require.ts';
import type { ConversationRow } from './rows.ts';
import { sendToGuest } from './send.ts';
import { shownProperties } from './shown.ts';
import { changeConversation, conversationPage, messagePage, postedSince } from './table.ts';

const PICTURE_NAME = 'picture.jpg';

export const listConversations: Handler<'listConversations'> = async (input, context) => {
  const { account, db, visible } = context;
  const { account_id: accountId, time_zone: zone } = account;
  const page = pageOf('listConversations', 'string', input, context);
  const order = page.byCursor ? 'id' : 'newest';
  const found = await conversationPage(db, { accountId, visible, order, ...page.range });
  const { rows, next } = closePage(page, found, (row) => row.conversation_id);
  const ids = rows.map((row) => row.conversation_id);
  const activities = await activitiesOf(db, accountId, ids, visible);
  return {
    conversations: rows.map((row) => presentEntry(row, activities.get(row.conversation_id) ?? [], zone)),
    total: found.total,
    ...next,
  };
};

export const getConversation: Handler<'getConversation'> = async (input, context) => {
  const { conversation, activities } = await requireConversation(context, input.conversation_id);
  const page = pageOf('getConversation', 'number', input, context);
  const order = page.byCursor ? 'id' : 'newest';
  const found = { rows: await messagePage(context.db, conversation, { order, ...page.range }) };
  const { rows: messages, next } = closePage(page, found, (row) => row.id);
  const shown = presentConversation(conversation, activities, messages, {
    zone: context.account.time_zone,
    publicUrl: context.core.publicUrl(),
    shown: await shownProperties(context.db, context.account.account_id, activities),
  });
  return { ...shown, ...next };
};

export const sendMessage: Handler<'sendMessage'> = async (input, context) => {
  await requireConversation(context, input.conversation_id);
  const picture = input.jpeg_base64 === undefined ? undefined : requirePicture(input.jpeg_base64);
  const content = input.message?.trim() ?? '';
  await context.change(async (change) => {
    const { conversation } = await lockForChange(change, context, input.conversation_id);
    await requireRoom(change, conversation);
    const kept = { contentType: 'image/jpeg', name: PICTURE_NAME } as const;
    const attachments = picture ? [await keepPicture(change, conversation, { ...kept, bytes: picture })] : [];
    const messageId = await sendToGuest(change, conversation, {
      sender_name: context.operator.name,
      content,
      attachments,
      posted: true,
      automatic: context.isDaemon === true,
    });
    change.audit('sendMessage', `${conversation.conversation_id}/${messageId}`);
  });
};

export const updateConversationNote: Handler<'updateConversationNote'> = (input, context) =>
  context.change(async (change) => {
    const { conversation } = await lockForChange(change, context, input.conversation_id);
    const { conversation_id } = conversation;
    const note = input.note === '' ? null : input.note;
    const updated = instantOf(change.now);
    await changeConversation(change.trx, conversation, { note, note_updated_at: updated });
    change.audit('updateConversationNote', conversation_id);
    return { conversation_id, note, updated_at: withOffset(updated, context.account.time_zone) };
  });

/** @throws ApiError 429 when the conversation has used up its messages */
async function requireRoom(change: Change, conversation: ConversationRow): Promise<void> {
  // No window begins earlier than its own length ago.
  const since = instantOf(change.now - LONGEST_CONVERSATION_WINDOW_MS);
  const sent = await postedSince(change.trx, conversation, since);
  limitConversation(sent.map(msOf), change.now);
}

const DATA_URL = /^data:image\/jpeg;base64,/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** @throws ApiError 422 for data that is not a complete JPEG */
function requirePicture(text: string): Buffer {
  const base64 = text.replace(DATA_URL, '').replaceAll(/\s/g, '');
  const picture = BASE64.test(base64) ? readJpeg(Buffer.from(base64, 'base64')) : undefined;
  if (!picture) throw invalid('jpeg_base64', 'must be a whole JPEG picture in base64');
  if (picture.width * picture.height > MOST_PIXELS) throw invalid('jpeg_base64', 'must have at most 100 megapixels');
  return picture.bytes;
}
