import type { AccountId, ReservationCode, StayCode } from '../../kernel/ids.ts';
import { inList } from '../../store/queries/inList.ts';
import type { CoreDb, CoreTransaction } from '../database.ts';

type Db = CoreDb | CoreTransaction;

/** Returns the stays of a reservation, by its code or that of one of its stays. */
export async function staysOfReservation(db: Db, accountId: AccountId, code: string) {
  const named = await db
    .selectFrom('stays')
    .where('account_id', '=', accountId)
    .where((where) =>
      where.or([where('reservation_code', '=', code as ReservationCode), where('stay_code', '=', code as StayCode)]),
    )
    .select('reservation_code')
    .execute();
  return staysOf(db, accountId, [...new Set(named.map((row) => row.reservation_code))]);
}

export function staysOf(db: Db, accountId: AccountId, reservationCodes: readonly string[]) {
  return db
    .selectFrom('stays')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('reservation_code'), [...reservationCodes]))
    .select(['id', 'stay_code', 'reservation_code', 'property_id'])
    .orderBy('id')
    .execute();
}

export function guestsOf(db: Db, accountId: AccountId, stayIds: readonly number[]) {
  return guests(db, accountId)
    .where((where) => inList(where.ref('guest.stay_id'), [...stayIds]))
    .execute();
}

export function guestById(db: Db, accountId: AccountId, id: number) {
  return guests(db, accountId).where('guest.id', '=', id).execute();
}

/** Selects guests with this address, which is in lower case and trimmed. */
export function guestsByEmail(db: Db, accountId: AccountId, email: string) {
  return guests(db, accountId)
    .where((where) => where(where.fn<string>('lower', [where.fn<string>('trim', ['guest.email'])]), '=', email))
    .execute();
}

function guests(db: Db, accountId: AccountId) {
  return db
    .selectFrom('guests as guest')
    .innerJoin('stays as stay', (join) =>
      join.onRef('stay.account_id', '=', 'guest.account_id').onRef('stay.id', '=', 'guest.stay_id'),
    )
    .where('guest.account_id', '=', accountId)
    .select(['guest.stay_id', 'guest.id', 'guest.is_booker', 'guest.name', 'guest.phone', 'guest.email'])
    .select(['guest.id_number', 'stay.reservation_code', 'stay.stay_code', 'stay.property_id']);
}

/** Returns the conversations of these reservations, and those of guests with this address. */
export async function conversationsOf(
  db: Db,
  accountId: AccountId,
  { reservationCodes, email }: { reservationCodes: readonly string[]; email: string | undefined },
) {
  const booked = await db
    .selectFrom('reservations')
    .where('account_id', '=', accountId)
    .where('conversation_id', 'is not', null)
    .where((where) => inList(where.ref('reservation_code'), [...reservationCodes]))
    .select('conversation_id')
    .execute();
  return db
    .selectFrom('conversations')
    .where('account_id', '=', accountId)
    .where((where) =>
      where.or([
        inList(
          where.ref('conversation_id'),
          booked.map((row) => row.conversation_id ?? ''),
        ),
        ...(email === undefined
          ? []
          : [where(where.fn<string>('lower', [where.fn<string>('trim', ['guest_email'])]), '=', email)]),
      ]),
    )
    .select(['conversation_id', 'channel_thread_id', 'guest_name', 'guest_email', 'guest_phone'])
    .execute();
}

/** Erases persons from their records. Their country remains for counts. */
export async function forgetGuests(
  trx: CoreTransaction,
  accountId: AccountId,
  ids: readonly number[],
): Promise<number> {
  const gone = { name: null, phone: null, email: null, id_type: null, id_number: null, gender: null };
  const { numUpdatedRows } = await trx
    .updateTable('guests')
    .set(gone)
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('id'), [...ids]))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export async function deleteGuestImages(trx: CoreTransaction, accountId: AccountId, guestIds: readonly number[]) {
  const own = await trx
    .deleteFrom('guest_images')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('guest_id'), [...guestIds]))
    .executeTakeFirst();
  const shown = await trx
    .deleteFrom('checkin_guide_images')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('client_id'), [...guestIds]))
    .executeTakeFirst();
  return Number(own.numDeletedRows + shown.numDeletedRows);
}

/** Deletes pictures of the check-in guide that name no guest. */
export async function deleteGuideImages(trx: CoreTransaction, accountId: AccountId, stayIds: readonly number[]) {
  const { numDeletedRows } = await trx
    .deleteFrom('checkin_guide_images')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('stay_id'), [...stayIds]))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Erases the texts about stays and their lock codes. */
export async function forgetStays(trx: CoreTransaction, accountId: AccountId, stayIds: readonly number[]) {
  const { numUpdatedRows } = await trx
    .updateTable('stays')
    .set({ note: null, channel_remarks: null, lock_code: null, custom_fields: null })
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('id'), [...stayIds]))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export async function forgetEntries(trx: CoreTransaction, accountId: AccountId, reservationCodes: readonly string[]) {
  const { numUpdatedRows } = await trx
    .updateTable('transactions')
    .set({ note: '', note_key: null })
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('reservation_code'), [...reservationCodes]))
    .where('note', '<>', '')
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export async function forgetTasks(trx: CoreTransaction, accountId: AccountId, stayCodes: readonly string[]) {
  const { numUpdatedRows } = await trx
    .updateTable('tasks')
    .set({ note: '' })
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('stay_code'), [...stayCodes]))
    .where('note', '<>', '')
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Returns the ids by which channels know these reservations. */
export async function channelIdsOf(trx: CoreTransaction, accountId: AccountId, reservationCodes: readonly string[]) {
  const rows = await trx
    .selectFrom('reservations')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('reservation_code'), [...reservationCodes]))
    .select('channel_id')
    .execute();
  return rows.map((row) => row.channel_id);
}

export function reviewsOf(trx: CoreTransaction, accountId: AccountId, reservationCodes: readonly string[]) {
  return trx
    .selectFrom('reviews')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('reservation_code'), [...reservationCodes]))
    .select(['id', 'host_review', 'guest_review', 'host_reply'])
    .execute();
}

export async function saveReviewTexts(
  trx: CoreTransaction,
  accountId: AccountId,
  { id, ...texts }: Awaited<ReturnType<typeof reviewsOf>>[number],
): Promise<void> {
  await trx.updateTable('reviews').set(texts).where('account_id', '=', accountId).where('id', '=', id).execute();
}

/** Erases the person and all texts from conversations. The fact, side and time of each message remain. */
export async function forgetConversations(trx: CoreTransaction, accountId: AccountId, ids: readonly string[]) {
  const conversations = await trx
    .updateTable('conversations')
    .set({ guest_name: null, guest_email: null, guest_phone: null, note: null, last_message: '' })
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('conversation_id'), [...ids]))
    .executeTakeFirst();
  const messages = await trx
    .updateTable('messages')
    .set({ content: '', attachments: '[]', sources: '[]', sender_name: null })
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('conversation_id'), [...ids]))
    .executeTakeFirst();
  await trx
    .deleteFrom('attachments')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('conversation_id'), [...ids]))
    .execute();
  return { conversations: Number(conversations.numUpdatedRows), messages: Number(messages.numUpdatedRows) };
}

/** Returns posts to channels, which can hold texts of these conversations and reviews. */
export function postsOn(trx: CoreTransaction, accountId: AccountId) {
  return trx.selectFrom('channel_posts').where('account_id', '=', accountId).select(['id', 'payload']).execute();
}

export async function deletePosts(trx: CoreTransaction, accountId: AccountId, ids: readonly number[]) {
  const { numDeletedRows } = await trx
    .deleteFrom('channel_posts')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('id'), [...ids]))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Erases the content hashes of imported lines. Their keys remain. */
export async function forgetImports(trx: CoreTransaction, accountId: AccountId, reservationCodes: readonly string[]) {
  const { numUpdatedRows } = await trx
    .updateTable('import_rows')
    .set({ row_hash: '' })
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('reservation_code'), [...reservationCodes]))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
