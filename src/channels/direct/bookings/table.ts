import type { AccountRow, CoreDb, CoreTransaction, PropertyRow } from '../../../core/database.ts';
import type { Instant } from '../../../kernel/dates.ts';
import type { AccountId, ReservationCode } from '../../../kernel/ids.ts';
import { inList } from '../../../store/queries/inList.ts';
import { insertMany } from '../../../store/queries/insertMany.ts';
import type { BookingPageRow, DirectBookingRow, KeptQuoteRow } from './rows.ts';

type Db = CoreDb | CoreTransaction;
type PageKey = Pick<BookingPageRow, 'account_id' | 'id'>;

/** Returns the booking pages of an account, the oldest first; revoked ones too. */
export function pagesOf(db: Db, accountId: AccountId): Promise<BookingPageRow[]> {
  return db.selectFrom('booking_pages').where('account_id', '=', accountId).selectAll().orderBy('id').execute();
}

export function pageById(db: Db, { account_id, id }: PageKey): Promise<BookingPageRow | undefined> {
  return db
    .selectFrom('booking_pages')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirst();
}

/** Returns the page that a token opens, revoked ones too. */
export function pageByHash(db: Db, hash: string): Promise<BookingPageRow | undefined> {
  return db.selectFrom('booking_pages').where('token_hash', '=', hash).selectAll().executeTakeFirst();
}

export async function addPage(trx: CoreTransaction, row: BookingPageRow, properties: readonly number[]): Promise<void> {
  await trx.insertInto('booking_pages').values(row).execute();
  const { account_id, id: page_id } = row;
  await insertMany(
    trx,
    'booking_page_properties',
    properties.map((property_id) => ({ account_id, page_id, property_id })),
  );
}

export async function writePage(db: Db, { account_id, id }: PageKey, columns: Partial<BookingPageRow>): Promise<void> {
  await db
    .updateTable('booking_pages')
    .set(columns)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

/** Returns the numbers of the properties of pages. */
export function pagePropertyIds(db: Db, accountId: AccountId): Promise<{ page_id: number; property_id: number }[]> {
  return db
    .selectFrom('booking_page_properties')
    .where('account_id', '=', accountId)
    .select(['page_id', 'property_id'])
    .orderBy('property_id')
    .execute();
}

/** Returns the active properties that a page shows, by name. */
export function pageProperties(db: Db, { account_id, id }: PageKey): Promise<PropertyRow[]> {
  return db
    .selectFrom('properties')
    .where('account_id', '=', account_id)
    .where('status', '=', 'active')
    .where('id', 'in', (select) =>
      select
        .selectFrom('booking_page_properties')
        .where('account_id', '=', account_id)
        .where('page_id', '=', id)
        .select('property_id'),
    )
    .selectAll()
    .orderBy('name')
    .orderBy('id')
    .execute();
}

export function accountById(db: Db, accountId: AccountId): Promise<AccountRow> {
  return db.selectFrom('accounts').where('account_id', '=', accountId).selectAll().executeTakeFirstOrThrow();
}

export function propertyById(db: Db, accountId: AccountId, id: number): Promise<PropertyRow | undefined> {
  return db
    .selectFrom('properties')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirst();
}

export async function addQuote(trx: CoreTransaction, row: KeptQuoteRow): Promise<void> {
  await trx.insertInto('kept_quotes').values(row).execute();
}

export function quoteById(db: Db, accountId: AccountId, id: string): Promise<KeptQuoteRow | undefined> {
  return db
    .selectFrom('kept_quotes')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirst();
}

/** Returns a quote, locked until the change ends, so that it is booked once. */
export function lockQuote(trx: CoreTransaction, accountId: AccountId, id: string): Promise<KeptQuoteRow | undefined> {
  return trx
    .selectFrom('kept_quotes')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
}

export async function markBooked(trx: CoreTransaction, quote: KeptQuoteRow, code: ReservationCode): Promise<void> {
  await trx
    .updateTable('kept_quotes')
    .set({ reservation_code: code })
    .where('account_id', '=', quote.account_id)
    .where('id', '=', quote.id)
    .execute();
}

/** Deletes quotes that nobody booked and that ended before. @returns their number */
export async function pruneQuotes(db: Db, before: Instant): Promise<number> {
  const [{ numDeletedRows } = { numDeletedRows: 0n }] = await db
    .deleteFrom('kept_quotes')
    .where('expires_at', '<', before)
    .where('reservation_code', 'is', null)
    .execute();
  return Number(numDeletedRows);
}

export async function addBooking(trx: CoreTransaction, row: DirectBookingRow): Promise<void> {
  await trx.insertInto('direct_bookings').values(row).execute();
}

export function bookingByCode(db: Db, accountId: AccountId, code: string): Promise<DirectBookingRow | undefined> {
  return db
    .selectFrom('direct_bookings')
    .where('account_id', '=', accountId)
    .where('reservation_code', '=', code as ReservationCode)
    .selectAll()
    .executeTakeFirst();
}

/** Returns the booking that a guest's token opens. */
export function bookingByHash(db: Db, hash: string): Promise<DirectBookingRow | undefined> {
  return db.selectFrom('direct_bookings').where('token_hash', '=', hash).selectAll().executeTakeFirst();
}

/** Counts the reservations of a page that wait for their payment. */
export async function countWaiting(db: Db, { account_id, page_id }: Pick<KeptQuoteRow, 'account_id' | 'page_id'>) {
  const { count } = await db
    .selectFrom('direct_bookings as booking')
    .innerJoin('stays', (join) =>
      join
        .onRef('stays.account_id', '=', 'booking.account_id')
        .onRef('stays.reservation_code', '=', 'booking.reservation_code'),
    )
    .where('booking.account_id', '=', account_id)
    .where('booking.page_id', '=', page_id)
    .where('booking.settled_at', 'is', null)
    .where('stays.status', '=', 'wait_pay')
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns bookings that wait for their payment and have an entry in the ledger. */
export function waitingWithEntries(db: Db, limit: number): Promise<DirectBookingRow[]> {
  return db
    .selectFrom('direct_bookings as booking')
    .innerJoin('stays', (join) =>
      join
        .onRef('stays.account_id', '=', 'booking.account_id')
        .onRef('stays.reservation_code', '=', 'booking.reservation_code'),
    )
    .where('booking.settled_at', 'is', null)
    .where('stays.status', '=', 'wait_pay')
    .where((where) =>
      where.exists(
        where
          .selectFrom('transactions')
          .whereRef('transactions.account_id', '=', 'booking.account_id')
          .whereRef('transactions.reservation_code', '=', 'booking.reservation_code')
          .select('transactions.id'),
      ),
    )
    .selectAll('booking')
    .limit(limit)
    .execute();
}

/** Returns bookings that have ended, or whose guests have left, and that nobody has dealt with. */
export function endedBookings(db: Db, today: string, limit: number): Promise<DirectBookingRow[]> {
  return db
    .selectFrom('direct_bookings as booking')
    .innerJoin('stays', (join) =>
      join
        .onRef('stays.account_id', '=', 'booking.account_id')
        .onRef('stays.reservation_code', '=', 'booking.reservation_code'),
    )
    .where('booking.settled_at', 'is', null)
    .where((where) =>
      where.or([
        where('stays.status', 'in', ['cancelled', 'timeout', 'denied']),
        where('stays.check_out_date', '<', today),
      ]),
    )
    .selectAll('booking')
    .limit(limit)
    .execute();
}

export async function markSettled(trx: Db, booking: DirectBookingRow, at: Instant | null): Promise<void> {
  await trx
    .updateTable('direct_bookings')
    .set({ settled_at: at })
    .where('account_id', '=', booking.account_id)
    .where('reservation_code', '=', booking.reservation_code)
    .execute();
}

/** Returns the sealed tokens of all pages and bookings. */
export async function allTokens(trx: CoreTransaction) {
  const pages = await trx.selectFrom('booking_pages').select(['account_id', 'id', 'token']).orderBy('id').execute();
  const bookings = await trx
    .selectFrom('direct_bookings')
    .select(['account_id', 'reservation_code', 'token'])
    .orderBy('reservation_code')
    .execute();
  return { pages, bookings };
}

export async function saveBookingToken(
  trx: CoreTransaction,
  { account_id, reservation_code, token }: Pick<DirectBookingRow, 'account_id' | 'reservation_code' | 'token'>,
): Promise<void> {
  await trx
    .updateTable('direct_bookings')
    .set({ token })
    .where('account_id', '=', account_id)
    .where('reservation_code', '=', reservation_code)
    .execute();
}

/** Returns the names of properties. */
export async function propertyNames(
  db: Db,
  accountId: AccountId,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('properties')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('id'), ids))
    .select(['id', 'name'])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
