import type { AccountId, ReservationCode } from '../../kernel/ids.ts';
import { inList } from '../../store/queries/inList.ts';
import type { AccountRow, CoreDb, CoreTransaction } from '../database.ts';
import type { GuestGuideRow, GuestPageRow } from './rows.ts';

type Db = CoreDb | CoreTransaction;

export function pageOf(db: Db, accountId: AccountId, code: ReservationCode): Promise<GuestPageRow | undefined> {
  return db
    .selectFrom('guest_pages')
    .where('account_id', '=', accountId)
    .where('reservation_code', '=', code)
    .selectAll()
    .executeTakeFirst();
}

/** Puts the page of a reservation in the place of an earlier one, whose link ends by that. */
export async function savePage(trx: CoreTransaction, row: GuestPageRow): Promise<void> {
  await dropPage(trx, row);
  await trx.insertInto('guest_pages').values(row).execute();
}

/** @returns true if there was one */
export async function dropPage(
  trx: CoreTransaction,
  { account_id, reservation_code }: Pick<GuestPageRow, 'account_id' | 'reservation_code'>,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('guest_pages')
    .where('account_id', '=', account_id)
    .where('reservation_code', '=', reservation_code)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Returns the page that a guest's token opens. */
export function pageByHash(db: CoreDb, hash: string): Promise<GuestPageRow | undefined> {
  return db.selectFrom('guest_pages').where('token_hash', '=', hash).selectAll().executeTakeFirst();
}

export function accountOfPage(db: CoreDb, accountId: AccountId): Promise<AccountRow> {
  return db.selectFrom('accounts').where('account_id', '=', accountId).selectAll().executeTakeFirstOrThrow();
}

/** Returns the sealed tokens of all pages of every account. */
export function allTokens(
  trx: CoreTransaction,
): Promise<Pick<GuestPageRow, 'account_id' | 'reservation_code' | 'token'>[]> {
  return trx.selectFrom('guest_pages').select(['account_id', 'reservation_code', 'token']).execute();
}

export async function saveToken(
  trx: CoreTransaction,
  { account_id, reservation_code, token }: Pick<GuestPageRow, 'account_id' | 'reservation_code' | 'token'>,
): Promise<void> {
  await trx
    .updateTable('guest_pages')
    .set({ token })
    .where('account_id', '=', account_id)
    .where('reservation_code', '=', reservation_code)
    .execute();
}

/** Returns the stays of a reservation with what guests may know of their properties, in order. */
export function staysWithPlaces(db: Db, accountId: AccountId, code: ReservationCode) {
  return db
    .selectFrom('stays as stay')
    .leftJoin('properties as property', (join) =>
      join.onRef('property.account_id', '=', 'stay.account_id').onRef('property.id', '=', 'stay.property_id'),
    )
    .leftJoin('guest_guides as told', (join) =>
      join.onRef('told.account_id', '=', 'stay.account_id').onRef('told.property_id', '=', 'stay.property_id'),
    )
    .where('stay.account_id', '=', accountId)
    .where('stay.reservation_code', '=', code)
    .select(['stay.id', 'stay.stay_code', 'stay.reservation_code', 'stay.property_id', 'stay.status'])
    .select(['stay.stay_status', 'stay.check_in_date', 'stay.check_out_date', 'stay.number_of_guests'])
    .select(['stay.arrival_at', 'stay.departure_at', 'stay.lock_code', 'stay.lock_code_visible_after'])
    .select(['property.name', 'property.address', 'property.time_zone', 'property.check_in_time'])
    .select(['property.check_out_time', 'told.guide', 'told.country', 'told.phone'])
    .orderBy('stay.check_in_date')
    .orderBy('stay.id')
    .execute();
}

/** A stay as {@link staysWithPlaces} reads it. */
export type PlacedStay = Awaited<ReturnType<typeof staysWithPlaces>>[number];

/** Returns the parts of a reservation that its page shows or uses. */
export function reservationOf(db: Db, accountId: AccountId, code: ReservationCode) {
  return db
    .selectFrom('reservations')
    .where('account_id', '=', accountId)
    .where('reservation_code', '=', code)
    .select(['reservation_code', 'currency', 'total_rate', 'total_commission', 'conversation_id'])
    .executeTakeFirst();
}

/** Returns what these properties tell their guests; null: all of the account. */
export function guidesOf(db: Db, accountId: AccountId, properties: readonly number[] | null): Promise<GuestGuideRow[]> {
  let matching = db.selectFrom('guest_guides').where('account_id', '=', accountId);
  if (properties !== null) matching = matching.where((where) => inList(where.ref('property_id'), properties));
  return matching.selectAll().orderBy('property_id').execute();
}

export async function saveGuide(trx: CoreTransaction, row: GuestGuideRow): Promise<void> {
  const { account_id, property_id, ...columns } = row;
  await trx
    .insertInto('guest_guides')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'property_id']).doUpdateSet(columns))
    .execute();
}
