import type { AccountRow, CoreDb, CoreTransaction } from '../../core/database.ts';
import type { Instant, PlainDate } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { inList } from '../../store/queries/inList.ts';
import type { MailboxRow, MailLogRow, MailThreadRow } from './rows.ts';

type Db = CoreDb | CoreTransaction;
type MailboxKey = Pick<MailboxRow, 'account_id' | 'id'>;
type ThreadKey = Pick<MailThreadRow, 'account_id' | 'thread'>;

export function mailboxesOf(db: Db, accountId: AccountId): Promise<MailboxRow[]> {
  return db.selectFrom('mailboxes').where('account_id', '=', accountId).selectAll().orderBy('id').execute();
}

export function mailboxById(db: Db, { account_id, id }: MailboxKey): Promise<MailboxRow | undefined> {
  return db
    .selectFrom('mailboxes')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirst();
}

/** Returns a mailbox, locked until the transaction ends. */
export function lockMailbox(trx: CoreTransaction, { account_id, id }: MailboxKey): Promise<MailboxRow | undefined> {
  return trx
    .selectFrom('mailboxes')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
}

/** Returns the mailboxes of all accounts that are read. */
export function activeMailboxes(db: Db): Promise<MailboxRow[]> {
  return db.selectFrom('mailboxes').where('state', '=', 'active').selectAll().orderBy('id').execute();
}

export async function addMailbox(trx: CoreTransaction, row: MailboxRow): Promise<void> {
  await trx.insertInto('mailboxes').values(row).execute();
}

export async function writeMailbox(
  db: Db,
  { account_id, id }: MailboxKey,
  columns: Partial<MailboxRow>,
): Promise<void> {
  await db.updateTable('mailboxes').set(columns).where('account_id', '=', account_id).where('id', '=', id).execute();
}

/** Removes a mailbox with its log. Its conversations stay, and cannot be answered until another mailbox takes them. */
export async function removeMailbox(trx: CoreTransaction, { account_id, id }: MailboxKey): Promise<void> {
  await trx.deleteFrom('mail_log').where('account_id', '=', account_id).where('mailbox_id', '=', id).execute();
  await trx.deleteFrom('mailboxes').where('account_id', '=', account_id).where('id', '=', id).execute();
}

export function threadNamed(db: Db, { account_id, thread }: ThreadKey): Promise<MailThreadRow | undefined> {
  return db
    .selectFrom('mail_threads')
    .where('account_id', '=', account_id)
    .where('thread', '=', thread)
    .selectAll()
    .executeTakeFirst();
}

/** Returns the conversations whose tokens these are. */
export async function threadsByToken(
  db: Db,
  accountId: AccountId,
  tokens: readonly string[],
): Promise<readonly MailThreadRow[]> {
  if (tokens.length === 0) return [];
  return db
    .selectFrom('mail_threads')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('token'), tokens))
    .selectAll()
    .execute();
}

export async function addThread(trx: CoreTransaction, row: MailThreadRow): Promise<void> {
  await insertMany(trx, 'mail_threads', [row]);
}

export async function writeThread(db: Db, key: ThreadKey, columns: Partial<MailThreadRow>): Promise<void> {
  await db
    .updateTable('mail_threads')
    .set(columns)
    .where('account_id', '=', key.account_id)
    .where('thread', '=', key.thread)
    .execute();
}

/** Returns the mails of the log with these keys that stand in a conversation. */
export async function loggedByKey(db: Db, accountId: AccountId, keys: readonly string[]) {
  if (keys.length === 0) return [];
  return db
    .selectFrom('mail_log')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('message_key'), keys))
    .where('thread', 'is not', null)
    .select(['message_key', 'thread', 'message_id', 'direction'])
    .execute();
}

/** Returns a mail that was logged before; undefined if its key is new. */
export function loggedOnce(
  db: Db,
  row: Pick<MailLogRow, 'account_id' | 'mailbox_id' | 'direction' | 'message_key'>,
): Promise<MailLogRow | undefined> {
  return db
    .selectFrom('mail_log')
    .where('account_id', '=', row.account_id)
    .where('mailbox_id', '=', row.mailbox_id)
    .where('direction', '=', row.direction)
    .where('message_key', '=', row.message_key)
    .selectAll()
    .executeTakeFirst();
}

/** Returns the numbers of a folder's mails that are in the log. */
export async function knownNumbers(db: Db, { account_id, id }: MailboxKey, uidValidity: string): Promise<Set<number>> {
  const rows = await db
    .selectFrom('mail_log')
    .where('account_id', '=', account_id)
    .where('mailbox_id', '=', id)
    .where('uid_validity', '=', uidValidity)
    .select('uid')
    .execute();
  return new Set(rows.flatMap(({ uid }) => uid ?? []));
}

/** Returns direct stays to come whose booker can be written to and has no conversation yet, in accounts with mailboxes. */
export function silentStays(db: Db, asked: { today: PlainDate; limit: number }) {
  return db
    .selectFrom('reservations')
    .innerJoin('stays', (join) =>
      join
        .onRef('stays.account_id', '=', 'reservations.account_id')
        .onRef('stays.reservation_code', '=', 'reservations.reservation_code'),
    )
    .innerJoin('guests', (join) =>
      join.onRef('guests.account_id', '=', 'stays.account_id').onRef('guests.stay_id', '=', 'stays.id'),
    )
    .where('reservations.conversation_id', 'is', null)
    .where('stays.channel_type', '=', 'direct')
    .where('stays.status', '=', 'accepted')
    .where('stays.check_out_date', '>=', asked.today)
    .where('guests.is_booker', '=', 1)
    .where('guests.email', 'like', '%_@_%')
    .where((where) =>
      where.exists(
        where
          .selectFrom('mailboxes')
          .whereRef('mailboxes.account_id', '=', 'stays.account_id')
          .where('mailboxes.state', '=', 'active')
          .select('mailboxes.id'),
      ),
    )
    .select(['stays.account_id', 'stays.stay_code', 'guests.email'])
    .orderBy('stays.id')
    .limit(asked.limit)
    .execute();
}

export async function addLog(trx: CoreTransaction, row: MailLogRow): Promise<void> {
  await insertMany(trx, 'mail_log', [row]);
}

export async function writeLog(
  db: Db,
  { account_id, id }: Pick<MailLogRow, 'account_id' | 'id'>,
  columns: Partial<MailLogRow>,
): Promise<void> {
  await db.updateTable('mail_log').set(columns).where('account_id', '=', account_id).where('id', '=', id).execute();
}

/** Counts the mails of one sender that became messages since a moment. */
export async function countFrom(
  db: Db,
  { account_id, id }: MailboxKey,
  { address, since }: { address: string; since: Instant },
): Promise<number> {
  const { count } = await db
    .selectFrom('mail_log')
    .where('account_id', '=', account_id)
    .where('mailbox_id', '=', id)
    .where('address', '=', address)
    .where('noted_at', '>=', since)
    .where('direction', '=', 'in')
    .where('kind', '=', 'message')
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

interface LogQuestion {
  readonly accountId: AccountId;
  readonly mailboxId?: number | undefined;
  readonly conversationThread?: string | undefined;
  readonly needsLook?: boolean | undefined;
  readonly limit: number;
}

/** Returns the log, newest first. */
export function logOf(db: Db, { accountId, mailboxId, needsLook, conversationThread, limit }: LogQuestion) {
  let rows = db.selectFrom('mail_log').where('account_id', '=', accountId).selectAll();
  if (mailboxId !== undefined) rows = rows.where('mailbox_id', '=', mailboxId);
  if (conversationThread !== undefined) rows = rows.where('thread', '=', conversationThread);
  if (needsLook === true) rows = rows.where('needs_a_look', '=', 1);
  return rows.orderBy('id', 'desc').limit(limit).execute();
}

/** Returns the mails of all mailboxes that wait for a person. */
export function mailToLookAt(db: Db): Promise<MailLogRow[]> {
  return db.selectFrom('mail_log').where('needs_a_look', '=', 1).selectAll().orderBy('id').execute();
}

export function logEntry(db: Db, accountId: AccountId, id: number): Promise<MailLogRow | undefined> {
  return db
    .selectFrom('mail_log')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirst();
}

export function accountById(db: Db, accountId: AccountId): Promise<AccountRow> {
  return db.selectFrom('accounts').where('account_id', '=', accountId).selectAll().executeTakeFirstOrThrow();
}

/** Returns the sealed passwords of all mailboxes of every account. */
export function allSecrets(trx: CoreTransaction) {
  return trx
    .selectFrom('mailboxes')
    .select(['account_id', 'id', 'imap_password', 'smtp_password'])
    .orderBy('id')
    .execute();
}

/** Returns the accepted direct stays of guests with an address that have not ended by a date, by check-in. */
export function directStaysOf(db: Db, accountId: AccountId, asked: { address: string; from: PlainDate }) {
  return db
    .selectFrom('guests')
    .innerJoin('stays', (join) =>
      join.onRef('stays.account_id', '=', 'guests.account_id').onRef('stays.id', '=', 'guests.stay_id'),
    )
    .innerJoin('reservations', (join) =>
      join
        .onRef('reservations.account_id', '=', 'stays.account_id')
        .onRef('reservations.reservation_code', '=', 'stays.reservation_code'),
    )
    .where('guests.account_id', '=', accountId)
    .where((where) =>
      where.eb(where.fn<string>('lower', [where.fn<string>('trim', ['guests.email'])]), '=', asked.address),
    )
    .where('stays.channel_type', '=', 'direct')
    .where('stays.status', 'in', ['accepted', 'wait_accept', 'wait_pay'])
    .where('stays.check_out_date', '>=', asked.from)
    .select(['stays.reservation_code', 'stays.stay_code', 'stays.property_id', 'stays.check_out_date'])
    .select(['reservations.conversation_id', 'guests.name'])
    .orderBy('stays.check_in_date')
    .orderBy('stays.id')
    .execute();
}

/** Returns a conversation by its id. */
export function conversationById(db: Db, accountId: AccountId, conversationId: string) {
  return db
    .selectFrom('conversations')
    .where('account_id', '=', accountId)
    .where('conversation_id', '=', conversationId)
    .select(['conversation_id', 'channel_type', 'channel_thread_id', 'guest_name'])
    .executeTakeFirst();
}

/** Returns a conversation of the channel by its name there. */
export function conversationOfThread(db: Db, { account_id, thread }: ThreadKey) {
  return db
    .selectFrom('conversations')
    .where('account_id', '=', account_id)
    .where('channel_type', '=', 'direct')
    .where('channel_thread_id', '=', thread)
    .select(['conversation_id', 'guest_name'])
    .executeTakeFirst();
}

/** Returns the ids of conversations by their names on the channel. */
export async function conversationsOfThreads(
  db: Db,
  accountId: AccountId,
  threads: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (threads.length === 0) return new Map();
  const rows = await db
    .selectFrom('conversations')
    .where('account_id', '=', accountId)
    .where('channel_type', '=', 'direct')
    .where((where) => inList(where.ref('channel_thread_id'), threads))
    .select(['conversation_id', 'channel_thread_id'])
    .execute();
  return new Map(rows.map((row) => [row.channel_thread_id, row.conversation_id]));
}

/** Returns the pictures of a message by their tokens. */
export async function picturesOf(db: Db, accountId: AccountId, tokens: readonly string[]) {
  if (tokens.length === 0) return [];
  return db
    .selectFrom('attachments')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('token'), tokens))
    .select(['token', 'content_type', 'base64'])
    .execute();
}

/** Returns the name of a property. */
export async function propertyName(db: Db, accountId: AccountId, id: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('properties')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .select('name')
    .executeTakeFirst();
  return row?.name;
}

/** Erases a person from conversations by mail and from the log. @returns the number of rows */
export async function forgetInMail(
  trx: CoreTransaction,
  accountId: AccountId,
  { threads, addresses }: { threads: readonly string[]; addresses: readonly string[] },
): Promise<number> {
  const own = await trx
    .selectFrom('mail_threads')
    .where('account_id', '=', accountId)
    .where((where) =>
      where.or([inList(where.ref('thread'), [...threads]), inList(where.ref('address'), [...addresses])]),
    )
    .select('thread')
    .execute();
  const names = own.map(({ thread }) => thread);
  const log = await trx
    .updateTable('mail_log')
    .set({ address: '', subject: '', says: null, checks: null })
    .where('account_id', '=', accountId)
    .where((where) => where.or([inList(where.ref('thread'), names), inList(where.ref('address'), [...addresses])]))
    .executeTakeFirst();
  await trx
    .updateTable('mail_threads')
    .set({ address: '', name: '', subject: '', last_message_id: null, reference_ids: '[]' })
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('thread'), names))
    .execute();
  return names.length + Number(log.numUpdatedRows);
}
