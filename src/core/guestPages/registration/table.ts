import type { AccountId, ReservationCode } from '../../../kernel/ids.ts';
import { inList } from '../../../store/queries/inList.ts';
import type { CoreDb, CoreTransaction } from '../../database.ts';
import type { GuestRegistrationRow } from '../rows.ts';

type Db = CoreDb | CoreTransaction;

/** Returns the stays of a reservation that stand, with the country of their properties and the number of registrations. */
export function registeringStays(db: Db, accountId: AccountId, code: ReservationCode) {
  return db
    .selectFrom('stays as stay')
    .leftJoin('guest_guides as told', (join) =>
      join.onRef('told.account_id', '=', 'stay.account_id').onRef('told.property_id', '=', 'stay.property_id'),
    )
    .where('stay.account_id', '=', accountId)
    .where('stay.reservation_code', '=', code)
    .where('stay.status', '=', 'accepted')
    .select(['stay.id', 'stay.stay_code', 'stay.number_of_guests', 'stay.check_in_date', 'stay.check_out_date'])
    .select(['stay.property_id', 'stay.stay_status', 'told.country'])
    .select((of) =>
      of
        .selectFrom('guest_registrations as one')
        .whereRef('one.account_id', '=', 'stay.account_id')
        .whereRef('one.stay_id', '=', 'stay.id')
        .select((count) => count.fn.countAll<number>().as('count'))
        .as('registered'),
    )
    .orderBy('stay.check_in_date')
    .orderBy('stay.id')
    .execute();
}

export async function addRegistration(trx: CoreTransaction, row: GuestRegistrationRow): Promise<void> {
  await trx.insertInto('guest_registrations').values(row).execute();
}

export function registrationById(
  db: Db,
  { account_id, id }: Pick<GuestRegistrationRow, 'account_id' | 'id'>,
): Promise<GuestRegistrationRow | undefined> {
  return db
    .selectFrom('guest_registrations')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirst();
}

/** Returns what was registered for these stays, the first first. */
export function registrationsOf(
  db: Db,
  accountId: AccountId,
  stayIds: readonly number[],
): Promise<GuestRegistrationRow[]> {
  return db
    .selectFrom('guest_registrations')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('stay_id'), stayIds))
    .selectAll()
    .orderBy('registered_at')
    .orderBy('id')
    .execute();
}

/** Returns what was registered in an account, after a row and in the order of the rows. */
export function registrationsAfter(
  db: Db,
  { accountId, after, limit }: { accountId: AccountId; after: string; limit: number },
): Promise<GuestRegistrationRow[]> {
  return db
    .selectFrom('guest_registrations')
    .where('account_id', '=', accountId)
    .where('id', '>', after)
    .selectAll()
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** @returns the number of rows that were there */
export async function dropRegistrations(
  trx: CoreTransaction,
  accountId: AccountId,
  ids: readonly string[],
): Promise<number> {
  if (ids.length === 0) return 0;
  const { numDeletedRows } = await trx
    .deleteFrom('guest_registrations')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('id'), ids))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Returns the countries by whose rules registrations are kept, each once. */
export async function countriesInUse(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('guest_registrations').select('country').distinct().orderBy('country').execute();
  return rows.map(({ country }) => country);
}

/** Returns some registrations whose time is over: of stays that do not stand, and of those before a day. */
export function expiredRegistrations(
  trx: CoreTransaction,
  {
    country,
    after,
    before,
    limit,
  }: { country: string; after: 'check_in' | 'check_out'; before: string; limit: number },
): Promise<Pick<GuestRegistrationRow, 'account_id' | 'id'>[]> {
  const day = after === 'check_in' ? 'stay.check_in_date' : 'stay.check_out_date';
  return trx
    .selectFrom('guest_registrations as one')
    .innerJoin('stays as stay', (join) =>
      join.onRef('stay.account_id', '=', 'one.account_id').onRef('stay.id', '=', 'one.stay_id'),
    )
    .where('one.country', '=', country)
    .where((where) => where.or([where('stay.status', '<>', 'accepted'), where(day, '<', before)]))
    .select(['one.account_id', 'one.id'])
    .orderBy('one.account_id')
    .orderBy('one.id')
    .limit(limit)
    .execute();
}

/** Returns some sealed rows after a row, of every account. */
export function sealedAfter(
  trx: CoreTransaction,
  after: Pick<GuestRegistrationRow, 'account_id' | 'id'> | undefined,
  limit: number,
): Promise<Pick<GuestRegistrationRow, 'account_id' | 'id' | 'sealed'>[]> {
  let rows = trx.selectFrom('guest_registrations').select(['account_id', 'id', 'sealed']);
  if (after) {
    rows = rows.where((where) =>
      where.or([
        where('account_id', '>', after.account_id),
        where.and([where('account_id', '=', after.account_id), where('id', '>', after.id)]),
      ]),
    );
  }
  return rows.orderBy('account_id').orderBy('id').limit(limit).execute();
}

export async function saveSealed(
  trx: CoreTransaction,
  { account_id, id, sealed }: Pick<GuestRegistrationRow, 'account_id' | 'id' | 'sealed'>,
): Promise<void> {
  await trx
    .updateTable('guest_registrations')
    .set({ sealed })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}
