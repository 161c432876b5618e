import type { AccountId, ReservationCode, StayCode } from '../../kernel/ids.ts';
import type { Currency } from '../../kernel/money.ts';
import { inList } from '../../store/queries/inList.ts';
import type { CoreDb, CoreTransaction, StayRow } from '../database.ts';

type Db = CoreDb | CoreTransaction;

interface FoundReservation {
  reservation_code: ReservationCode;
  currency: Currency;
  property_ids: number[];
}

/** Returns the reservation with this reservation code or stay code. */
export async function findReservationByAnyCode(
  db: Db,
  accountId: AccountId,
  code: string,
): Promise<FoundReservation | undefined> {
  const rows = await db
    .selectFrom('stays')
    .innerJoin('reservations', (join) =>
      join
        .onRef('reservations.account_id', '=', 'stays.account_id')
        .onRef('reservations.reservation_code', '=', 'stays.reservation_code'),
    )
    .where('stays.account_id', '=', accountId)
    .where('stays.reservation_code', 'in', (select) =>
      select
        .selectFrom('stays')
        .where('account_id', '=', accountId)
        .where((where) =>
          where.or([
            where('stay_code', '=', code as StayCode),
            where('reservation_code', '=', code as ReservationCode),
          ]),
        )
        .select('reservation_code'),
    )
    .select(['stays.reservation_code', 'stays.property_id', 'reservations.currency'])
    .execute();
  const first = rows[0];
  if (!first) return undefined;
  return {
    reservation_code: first.reservation_code,
    currency: first.currency,
    property_ids: rows.map((row) => row.property_id),
  };
}

export function findStay(db: Db, accountId: AccountId, stayCode: string): Promise<StayRow | undefined> {
  return db
    .selectFrom('stays')
    .where('account_id', '=', accountId)
    .where('stay_code', '=', stayCode as StayCode)
    .selectAll()
    .executeTakeFirst();
}

/** Returns stays by their numbers. */
export async function staysByNumber(db: Db, accountId: AccountId, ids: readonly number[]): Promise<StayRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('stays')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('id'), ids))
    .selectAll()
    .orderBy('id')
    .execute();
}

/** Returns the ids by which a channel knows a reservation; undefined for a direct one. */
export function findChannelReservation(db: Db, accountId: AccountId, code: ReservationCode) {
  return db
    .selectFrom('channel_reservations')
    .where('account_id', '=', accountId)
    .where('reservation_code', '=', code)
    .select(['account_id', 'channel_type', 'channel_id'])
    .executeTakeFirst();
}

/** Returns the booker's guest record. */
export function findBooker(db: Db, stay: Pick<StayRow, 'account_id' | 'id'>) {
  return db
    .selectFrom('guests')
    .where('account_id', '=', stay.account_id)
    .where('stay_id', '=', stay.id)
    .where('is_booker', '=', 1)
    .selectAll()
    .executeTakeFirst();
}

export function staysOf(db: Db, accountId: AccountId, code: string): Promise<StayRow[]> {
  return db
    .selectFrom('stays')
    .where('account_id', '=', accountId)
    .where('reservation_code', '=', code as ReservationCode)
    .selectAll()
    .orderBy('id')
    .execute();
}

/**
 * Locks a reservation and its stays until the change ends, for a change that depends on its state. Everything about it
 * must be read after the lock.
 */
export function lockReservation(trx: CoreTransaction, accountId: AccountId, code: ReservationCode) {
  return trx
    .selectFrom('reservations')
    .where('account_id', '=', accountId)
    .where('reservation_code', '=', code)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
}

/** Returns the reservation with the caller's own reference, in any state. */
export function findByChannelId(db: Db, accountId: AccountId, channelId: string) {
  return db
    .selectFrom('reservations')
    .innerJoin('stays', (join) =>
      join
        .onRef('stays.account_id', '=', 'reservations.account_id')
        .onRef('stays.reservation_code', '=', 'reservations.reservation_code'),
    )
    .where('reservations.account_id', '=', accountId)
    .where('reservations.channel_id', '=', channelId)
    .select(['reservations.reservation_code', 'stays.status'])
    .orderBy('stays.id')
    .limit(1)
    .executeTakeFirst();
}

/** Counts the reservations of an account, of any status. */
export async function countReservations(db: Db, accountId: AccountId): Promise<number> {
  const { count } = await db
    .selectFrom('reservations')
    .where('account_id', '=', accountId)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
