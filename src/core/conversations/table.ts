import type { ExpressionBuilder } from 'kysely';
import type { Instant } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { inList } from '../../store/queries/inList.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { endOf, type Range } from '../../store/queries/paging.ts';
import { prepared, preparedByArguments, preparedTotal } from '../../store/queries/prepared.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import type { CoreDatabase, CoreDb, CoreTransaction } from '../database.ts';
import type { AttachmentRow, ConversationRow, InquiryRow, MessageRow } from './rows.ts';

type Db = CoreDb | CoreTransaction;

interface ConversationQuestion extends Range<string> {
  accountId: AccountId;
  visible: readonly number[] | null;
  /** newest: by the newest message; id: by the id of the conversation, which never changes. */
  order?: 'newest' | 'id' | undefined;
}

/** Returns one page of conversations and their number. */
export async function conversationPage(
  db: CoreDb,
  { accountId, visible, order, offset, limit, before, total: known }: ConversationQuestion,
): Promise<{ rows: ConversationRow[]; keys: string[]; total: number }> {
  const page = await (order === 'id' ? idsById : idsByMessage)(db, { accountId, visible, offset, limit, before });
  const total = known ?? endOf(page, { offset, limit }) ?? (await count(db, { accountId, visible }));
  const ids = page.map((row) => row.conversation_id);
  if (ids.length === 0) return { rows: [], keys: [], total };
  const rows = await byIds(db, { accountId, ids });
  const found = new Map(rows.map((row) => [row.conversation_id, row]));
  return { rows: ids.map((id) => found.get(id)).filter((row) => row !== undefined), keys: ids, total };
}

type Matching = Pick<ConversationQuestion, 'accountId' | 'visible'>;
type Page = Omit<ConversationQuestion, 'order' | 'total'>;

function matching(db: CoreDb, { accountId, visible }: Matching) {
  const query = db.selectFrom('conversations').where('conversations.account_id', '=', accountId);
  return visible == null ? query : query.where(about(visible));
}

const count = preparedTotal((db: CoreDb, arg: Matching) =>
  matching(db, arg).select((of) => of.fn.countAll<number>().as('total')),
);

const idsByMessage = preparedByArguments((db: CoreDb, arg: Page) =>
  matching(db, arg)
    .select('conversations.conversation_id')
    .orderBy('last_message_at', (by) => by.desc().nullsLast())
    .orderBy('conversations.id', 'desc')
    .limit(arg.limit)
    .offset(arg.offset),
);

const idsById = preparedByArguments((db: CoreDb, arg: Page) => {
  const all = matching(db, arg);
  const query = arg.before === undefined ? all : all.where('conversations.conversation_id', '<', arg.before);
  return query
    .select('conversations.conversation_id')
    .orderBy('conversations.conversation_id', 'desc')
    .limit(arg.limit)
    .offset(arg.offset);
});

const byIds = prepared((db: CoreDb, arg: { accountId: AccountId; ids: readonly string[] }) =>
  db
    .selectFrom('conversations')
    .where('account_id', '=', arg.accountId)
    .where((where) => inList(where.ref('conversation_id'), arg.ids))
    .selectAll(),
);

/** Selects conversations about one of these properties, by a reservation or an inquiry. */
function about(propertyIds: readonly number[]) {
  return (where: ExpressionBuilder<CoreDatabase, 'conversations'>) =>
    where.or([
      where.exists(
        where
          .selectFrom('reservations')
          .innerJoin('stays', (join) =>
            join
              .onRef('stays.account_id', '=', 'reservations.account_id')
              .onRef('stays.reservation_code', '=', 'reservations.reservation_code'),
          )
          .whereRef('reservations.account_id', '=', 'conversations.account_id')
          .whereRef('reservations.conversation_id', '=', 'conversations.conversation_id')
          .where((where) => inList(where.ref('stays.property_id'), propertyIds))
          .select('stays.id'),
      ),
      where.exists(
        where
          .selectFrom('inquiries')
          .whereRef('inquiries.account_id', '=', 'conversations.account_id')
          .whereRef('inquiries.conversation_id', '=', 'conversations.conversation_id')
          .where((where) => inList(where.ref('inquiries.property_id'), propertyIds))
          .select('inquiries.id'),
      ),
    ]);
}

const byId = prepared((db: Db, arg: { conversationId: string }) =>
  db.selectFrom('conversations').where('conversation_id', '=', arg.conversationId).selectAll(),
);

/** Returns a conversation by its id, whoever owns it. */
export async function findConversation(db: Db, conversationId: string): Promise<ConversationRow | undefined> {
  return (await byId(db, { conversationId }))[0];
}

/** Returns a conversation as {@link findConversation} does, locked until the transaction ends. */
export function lockConversation(trx: CoreTransaction, conversationId: string): Promise<ConversationRow | undefined> {
  return trx
    .selectFrom('conversations')
    .where('conversation_id', '=', conversationId)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
}

/** Returns the conversation that a channel knows by this name. */
export function findByChannelName(
  trx: CoreTransaction,
  conversation: Pick<ConversationRow, 'account_id' | 'channel_type' | 'channel_thread_id'>,
): Promise<ConversationRow | undefined> {
  return trx
    .selectFrom('conversations')
    .where('account_id', '=', conversation.account_id)
    .where('channel_type', '=', conversation.channel_type)
    .where('channel_thread_id', '=', conversation.channel_thread_id)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
}

/** Adds a conversation. One of the same name stays unchanged. @returns true if it is new */
export async function addConversation(trx: CoreTransaction, draft: Omit<ConversationRow, 'id'>): Promise<boolean> {
  const id = await nextIds(trx, 'conversations');
  const columns = ['account_id', 'channel_type', 'channel_thread_id'] as const;
  return (await insertMany(trx, 'conversations', [{ ...draft, id }], { columns })) > 0;
}

type ConversationChanges = Partial<
  Pick<
    ConversationRow,
    | 'guest_name'
    | 'guest_email'
    | 'guest_phone'
    | 'last_message_at'
    | 'last_message'
    | 'unread_count'
    | 'note'
    | 'note_updated_at'
  >
>;

export async function changeConversation(
  trx: CoreTransaction,
  row: Pick<ConversationRow, 'account_id' | 'conversation_id'>,
  changes: ConversationChanges,
): Promise<void> {
  await trx
    .updateTable('conversations')
    .set(changes)
    .where('account_id', '=', row.account_id)
    .where('conversation_id', '=', row.conversation_id)
    .execute();
}

export async function addInquiry(trx: CoreTransaction, draft: Omit<InquiryRow, 'id'>): Promise<void> {
  const id = await nextIds(trx, 'inquiries');
  await insertMany(trx, 'inquiries', [{ ...draft, id }]);
}

interface MessagesOf extends Omit<Range, 'total'> {
  accountId: AccountId;
  conversationId: string;
}

function messagesOf(db: Db, arg: MessagesOf) {
  return db
    .selectFrom('messages')
    .where('account_id', '=', arg.accountId)
    .where('conversation_id', '=', arg.conversationId)
    .selectAll()
    .limit(arg.limit)
    .offset(arg.offset);
}

const messagesByTime = preparedByArguments((db: Db, arg: MessagesOf) =>
  messagesOf(db, arg).orderBy('sent_at', 'desc').orderBy('id', 'desc'),
);

const messagesById = preparedByArguments((db: Db, arg: MessagesOf) => {
  const query = arg.before === undefined ? messagesOf(db, arg) : messagesOf(db, arg).where('id', '<', arg.before);
  return query.orderBy('id', 'desc');
});

/** Returns messages of a conversation, newest first, or by their order of storage, which never changes. */
export function messagePage(
  db: CoreDb,
  row: ConversationRow,
  { offset, limit, before, order }: Range & { order?: 'newest' | 'id' | undefined },
): Promise<MessageRow[]> {
  const conversation = { accountId: row.account_id, conversationId: row.conversation_id };
  return (order === 'id' ? messagesById : messagesByTime)(db, { ...conversation, offset, limit, before });
}

/** Returns the times of messages posted into a conversation since a moment. */
export async function postedSince(trx: CoreTransaction, row: ConversationRow, since: Instant): Promise<Instant[]> {
  const rows = await trx
    .selectFrom('messages')
    .where('account_id', '=', row.account_id)
    .where('conversation_id', '=', row.conversation_id)
    .where('sent_at', '>=', since)
    .where('posted', '=', 1)
    .select('sent_at')
    .execute();
  return rows.map((message) => message.sent_at);
}

/** Adds a message. @returns false when the conversation already holds the channel's message */
export async function addMessage(trx: CoreTransaction, draft: Omit<MessageRow, 'id'>): Promise<boolean> {
  const id = await nextIds(trx, 'messages');
  const columns = ['account_id', 'conversation_id', 'channel_message_id'] as const;
  return (await insertMany(trx, 'messages', [{ ...draft, id }], { columns })) > 0;
}

export function findByChannelMessage(
  trx: CoreTransaction,
  row: Pick<ConversationRow, 'account_id' | 'conversation_id'>,
  channelMessageId: string,
): Promise<MessageRow | undefined> {
  return trx
    .selectFrom('messages')
    .where('account_id', '=', row.account_id)
    .where('conversation_id', '=', row.conversation_id)
    .where('channel_message_id', '=', channelMessageId)
    .selectAll()
    .executeTakeFirst();
}

/** Stores the channel's id of one of our messages, unless it is known already. */
export async function nameMessage(
  trx: CoreTransaction,
  { accountId, messageId, channelMessageId }: { accountId: AccountId; messageId: string; channelMessageId: string },
): Promise<boolean> {
  const [result] = await trx
    .updateTable('messages')
    .set({ channel_message_id: channelMessageId })
    .where('account_id', '=', accountId)
    .where('message_id', '=', messageId)
    .where('channel_message_id', 'is', null)
    .execute();
  return Number(result?.numUpdatedRows ?? 0) > 0;
}

export async function addAttachment(trx: CoreTransaction, row: AttachmentRow): Promise<void> {
  await insertMany(trx, 'attachments', [row]);
}

export function findAttachment(db: CoreDb, token: string): Promise<AttachmentRow | undefined> {
  return db.selectFrom('attachments').where('token', '=', token).selectAll().executeTakeFirst();
}
